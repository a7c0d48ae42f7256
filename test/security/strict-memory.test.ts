import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { startStrict } from '../../src/strict/index.ts'
import { BoundedMemory, sizeOf } from '../../src/strict/server/bounded-memory.ts'
import { ServerState } from '../../src/strict/server/state.ts'
import { programFile } from '../programs.ts'

test('[SE245] antiphon strict keeps no request after its answer', async () => {
  const child = spawn(process.execPath, ['--max-old-space-size=128', programFile('antiphon'), 'strict'])
  child.stderr.resume()
  try {
    const [greeting] = await once(createInterface({ input: child.stdout }), 'line')
    const [url] = /http:\S+/.exec(greeting) ?? []
    const body = JSON.stringify({ model: 'some-model', messages: [{ role: 'user', content: 'a'.repeat(5_000_000) }] })
    for (let sent = 0; sent < 60; sent++) {
      const answer = await fetch(`${url}/v1/unknown`, { method: 'POST', body })
      expect(answer.status).toBe(404)
      await answer.arrayBuffer()
    }
  } finally {
    child.kill('SIGKILL')
  }
})

describe('[SE312] what a strict server remembers is bounded', () => {
  test('responses that it stores', async () => {
    const child = spawn(process.execPath, ['--max-old-space-size=400', programFile('antiphon'), 'strict'])
    child.stderr.resume()
    try {
      const [greeting] = await once(createInterface({ input: child.stdout }), 'line')
      const [url] = /http:\S+/.exec(greeting) ?? []
      const ask = async (body: object): Promise<{ status: number; id: string }> => {
        const answer = await fetch(`${url}/v1/responses`, { method: 'POST', body: JSON.stringify(body) })
        return { status: answer.status, id: ((await answer.json()) as { id: string }).id }
      }
      let [first, last] = ['', '']
      for (let sent = 0; sent < 260; sent++) {
        const { status, id } = await ask({ model: 'gpt-5.5', input: `${sent} ${'a'.repeat(1_000_000)}` })
        expect(status).toBe(200)
        if (sent === 0) first = id
        last = id
      }
      expect((await ask({ model: 'gpt-5.5', input: 'x', previous_response_id: last })).status).toBe(200)
      expect((await ask({ model: 'gpt-5.5', input: 'x', previous_response_id: first })).status).toBe(400)
    } finally {
      child.kill('SIGKILL')
    }
  })

  const text = 'a'.repeat(1_000)
  const stateOf = (max: number): ServerState => new ServerState(false, false, undefined, new BoundedMemory(max))

  test('conversations and their items, the one that was used last stays', () => {
    const state = stateOf(20_000)
    const item = (id: string) => ({ id, type: 'message', role: 'user', content: text })
    state.openConversation('old', [item('old-item')])
    state.openConversation('used', [item('used-item')])
    for (let index = 0; index < 30; index++) {
      state.openConversation(`c${index}`, [item(`i${index}`)])
      state.keep({ conversation: 'used', store: false, input: [] }, { id: `r${index}`, output: [] })
    }
    expect([state.conversation('old'), state.item('old-item')]).toEqual([undefined, undefined])
    expect([state.conversation('c0'), state.item('i0')]).toEqual([undefined, undefined])
    expect(state.conversation('used')).toHaveLength(1)
    expect(state.item('i29')).toMatchObject({ id: 'i29' })
  })

  test('signatures, accounts, fragments and threads', () => {
    const state = stateOf(20_000)
    const accounts: ServerState[] = []
    for (let index = 0; index < 30; index++) {
      const account = state.of(`key-${index}`)
      accounts.push(account)
      account.sign(`signature-${index}`, text, 'issuer')
      account.threads.store(`t${index}`, { thread: { type: 'new' }, messages: [{ role: 'user', content: text }] }, [])
      state.fragments.sent([[{ text: `${index}${text}` }], [{ text: 'end' }]])
    }
    expect(state.signed('signature-0')).toBeUndefined()
    expect(state.signed('signature-29')).toBe(text)
    expect(accounts.map(({ threads }, index) => threads.has(`t${index}`))).toContain(false)
    expect(accounts[29]?.threads.has('t29')).toBe(true)
    const areOne = (index: number) =>
      state.fragments.areOneTurn({ parts: [{ text: `${index}${text}` }] }, { parts: [{ text: 'end' }] })
    expect([areOne(0), areOne(29)]).toEqual([false, true])
    expect(state.of('key-0')).not.toBe(accounts[0])
    expect(state.of('key-29')).toBe(accounts[29])
  })

  test('what was stored last is kept, whatever its size, and one use counts once', () => {
    const memory = new BoundedMemory(5_000)
    const forgotten: string[] = []
    const keep = (key: string, size: number): void => memory.keep(key, size, () => forgotten.push(key))
    for (let use = 0; use < 1_000; use++) keep('account', 0)
    keep('small', 100)
    expect(forgotten).toEqual([])
    keep('large', 1_000_000)
    expect(forgotten).toEqual(['account', 'small'])
    expect(sizeOf({ a: ['b', { c: 'd'.repeat(100) }] })).toBeGreaterThan(100)
  })
})

test('[SE129] a conversation of strict takes a list of any length', async () => {
  await using strict = await startStrict()
  const ask = async (path: string, body: object): Promise<{ status: number; id: string }> => {
    const answer = await fetch(`${strict.url}/v1/${path}`, { method: 'POST', body: JSON.stringify(body) })
    return { status: answer.status, id: ((await answer.json()) as { id: string }).id }
  }
  const { id } = await ask('conversations', {})
  const input = Array.from({ length: 150_000 }, () => ({ role: 'user', content: 'x' }))
  expect((await ask('responses', { model: 'gpt-5.5', conversation: id, input })).status).toBe(200)
})
