import { expect, test } from 'vitest'
import { healFetch } from '../../../src/integrations/fetch/index.ts'
import { chatPath, post } from './requests.ts'

interface Sent {
  readonly messages: readonly { readonly role: string; readonly id?: string; readonly tool_call_id?: string }[]
}

async function sent(messages: readonly object[]): Promise<Sent> {
  const bodies: string[] = []
  const fetch = async (_: unknown, init?: RequestInit) => {
    bodies.push(String(init?.body))
    return new Response('{}')
  }
  await healFetch({ fetch, onRepair: () => {} })(
    `https://api.deepseek.com${chatPath}`,
    post(JSON.stringify({ messages })),
  )
  return JSON.parse(bodies[0])
}

const calls = [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }]
const withIds = (messages: readonly object[]): object[] =>
  messages.map((message, n) => ({ id: `msg-${n}`, ...message }))

test('[H23] a chat whose messages have ids is repaired like one without', async () => {
  for (const content of [null, '', 'Let me look.']) {
    const messages = [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content, tool_calls: calls },
      { role: 'user', content: 'Hello?' },
    ]
    const { messages: healed } = await sent(withIds(messages))
    expect(healed.map(({ role, id }) => [role, id])).toEqual([
      ['user', 'msg-0'],
      ['assistant', 'msg-1'],
      ['tool', undefined],
      ['user', 'msg-2'],
    ])
    expect(healed[2].tool_call_id).toBe('call_1')
  }
})

test('[H23] messages with the fields of another format are sent unchanged', async () => {
  const messages = withIds([
    { role: 'user', content: 'Look.' },
    { role: 'assistant', toolCalls: calls },
    { role: 'user', content: 'Hello?' },
  ])
  expect(await sent(messages)).toEqual({ messages })
})
