import { describe, expect, test } from 'vitest'
import { healRejected, type Rejection, readRejection } from '../../src/heal/rejections/index.ts'

const numbers = [1, 2, 3, 4, 5]
const filler = 'data '.repeat(2_000)
const reminder = `<system-reminder>${filler}</system-reminder>`

const overflow = readRejection(400, {
  error: { message: 'prompt is too long: 260000 tokens > 200000 maximum' },
}) as Rejection

const shortened = (
  root: 'messages' | 'input',
  format: 'anthropic' | 'bedrock' | 'openai-responses',
  list: unknown[],
) => {
  const { body, changed } = healRejected({ model: 'some-model', [root]: list }, overflow, { format })
  expect(changed).toBe(true)
  return (body as unknown as Record<string, unknown[]>)[root] ?? []
}

/** Each call says which number it has, and so does each result that is left. */
const expectOwnResults = (pairs: readonly (readonly [call: string, result: string])[]): void => {
  expect(pairs.length).toBeGreaterThan(0)
  for (const [call, result] of pairs) expect(result).toBe(call.replace('deploy', 'deployed'))
}

describe('[SE630] a request that is too long loses no result of a call that stays', () => {
  test('in Anthropic messages that have a text next to the results', () => {
    const steps = numbers.flatMap(at => [
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: `call_${at}`, name: 'sh', input: { run: `deploy ${at}` } }],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: `call_${at}`, content: `deployed ${at}` },
          { type: 'text', text: reminder },
        ],
      },
    ])
    const messages = shortened('messages', 'anthropic', [
      { role: 'user', content: 'Deploy everything.' },
      ...steps,
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'And now?' },
    ]) as { content: { input?: { run: string }; content?: string }[] }[]
    expectOwnResults(
      messages.flatMap(({ content }, at) =>
        content[0]?.input ? [[content[0].input.run, messages[at + 1]?.content[0]?.content ?? ''] as const] : [],
      ),
    )
  })

  test('in messages of Converse that have a cache point next to the results', () => {
    const steps = numbers.flatMap(at => [
      {
        role: 'assistant',
        content: [
          { text: filler },
          { toolUse: { toolUseId: `call_${at}`, name: 'sh', input: { run: `deploy ${at}` } } },
        ],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: `call_${at}`, content: [{ text: `deployed ${at}` }] } },
          { cachePoint: { type: 'default' } },
        ],
      },
    ])
    const messages = shortened('messages', 'bedrock', [
      { role: 'user', content: [{ text: 'Deploy everything.' }] },
      ...steps,
      { role: 'assistant', content: [{ text: 'Done.' }] },
      { role: 'user', content: [{ text: 'And now?' }] },
    ]) as {
      content: { toolUse?: { input: { run: string } }; toolResult?: { content: { text: string }[] } }[]
    }[]
    expectOwnResults(
      messages.flatMap(({ content }, at) =>
        content[1]?.toolUse
          ? [[content[1].toolUse.input.run, messages[at + 1]?.content[0]?.toolResult?.content[0]?.text ?? ''] as const]
          : [],
      ),
    )
  })

  test('in Responses items with a user message between a call and its output', () => {
    const steps = numbers.flatMap(at => [
      { type: 'function_call', call_id: `call_${at}`, name: 'sh', arguments: `{"run":"deploy ${at}"}` },
      { role: 'user', content: `Faster, please. ${filler}` },
      { type: 'function_call_output', call_id: `call_${at}`, output: `deployed ${at}` },
    ])
    const items = shortened('input', 'openai-responses', [
      { role: 'user', content: 'Deploy everything.' },
      ...steps,
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'And now?' },
    ]) as { call_id?: string; arguments?: string; output?: string }[]
    expectOwnResults(
      items.flatMap(({ call_id: id, arguments: text }) =>
        text === undefined
          ? []
          : [
              [
                JSON.parse(text).run as string,
                items.find(item => item.call_id === id && item.output !== undefined)?.output ?? '',
              ] as const,
            ],
      ),
    )
  })

  test('and its older turns are still removed', () => {
    const turns = numbers.flatMap(at => [
      { role: 'user', content: `Question ${at}: ${filler}` },
      { role: 'assistant', content: `Answer ${at}.` },
    ])
    const messages = shortened('messages', 'anthropic', [...turns, { role: 'user', content: 'And now?' }])
    expect(messages.length).toBeLessThan(turns.length)
  })
})
