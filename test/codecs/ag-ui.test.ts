import { describe, expect, test } from 'vitest'
import { codecs } from '../../src/codecs/index.ts'
import { pieces } from '../../src/codecs/shared/pieces-of.ts'
import { shrink } from '../../src/heal/shrink/shrink.ts'
import { detect, heal, repair } from '../../src/index.ts'
import { history } from '../laws/history.ts'

const user = (id: string, content = 'Go on.') => ({ id, role: 'user', content })
const says = (id: string, content = 'Done.') => ({ id, role: 'assistant', content })
const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })
const calls = (id: string, ...ids: string[]) => ({ id, role: 'assistant', toolCalls: ids.map(call) })
const result = (id: string, toolCallId: string) => ({ id, role: 'tool', toolCallId, content: 'sunny' })
const activity = (id: string) => ({ id, role: 'activity', activityType: 'PLAN', content: { done: 1 } })
const reasoning = (id: string) => ({ id, role: 'reasoning', content: 'hm' })

const idsOf = (messages: readonly unknown[]): string[] => messages.map(message => (message as { id: string }).id)

describe('asides', () => {
  test('stand anywhere, also between calls and results', () => {
    const history = [activity('a1'), user('u1'), calls('c1', 'A'), reasoning('r1'), activity('a2'), result('t1', 'A')]
    expect(heal(history)).toBe(history)
  })

  test('are never lost, copied, put in another order or complained about', () => {
    const isAside = (message: unknown): boolean => codecs['ag-ui'].isAside?.(message) === true
    for (let seed = 0; seed < 300; seed++) {
      const { messages } = history('ag-ui', seed)
      for (const dialect of ['lenient', 'mistral', 'gemma-template'] as const) {
        const { messages: healed, repairs, remaining } = repair(messages, { format: 'ag-ui', for: dialect })
        const [before, after] = [messages.filter(isAside), healed.filter(isAside)]
        expect(after.length).toBe(before.length)
        for (const [index, aside] of after.entries()) expect(aside).toBe(before[index])
        const found = [...repairs, ...remaining].map(({ at }) => Number(/\d+/.exec(at)?.[0] ?? -1))
        expect(found.filter(index => isAside(messages[index]))).toEqual([])
      }
    }
  })

  test('stay where they stand when a result moves up to its call', () => {
    const history = [user('u1'), calls('c1', 'A'), activity('a1'), user('u2'), result('t1', 'A'), reasoning('r1')]
    expect(idsOf(heal([...history, says('s1')]))).toEqual(['u1', 'c1', 'a1', 't1', 'u2', 'r1', 's1'])
  })

  test('stay where they stand when words of the system go first', () => {
    const system = { id: 's1', role: 'system', content: 'Be brief.' }
    const history = [reasoning('r1'), user('u1'), says('a1'), system, activity('a2'), user('u2')]
    expect(idsOf(heal(history, { for: 'mistral' }))).toEqual(['r1', 's1', 'u1', 'a1', 'a2', 'u2'])
  })

  test('follow what their message was merged into, and stay if nothing else does', () => {
    const rows = [user('u1'), calls('c1', 'A'), activity('a1'), calls('c2', 'B'), reasoning('r1'), result('t1', 'A')]
    expect(idsOf(heal([...rows, result('t2', 'B')]))).toEqual(['u1', 'c1', 'a1', 'r1', 't1', 't2'])
    const lost = [result('t1', 'A'), activity('a1'), result('t2', 'B'), reasoning('r1')]
    const continued = { id: 'antiphon-UPfgAq4gFl', role: 'user', content: '(continue)' }
    expect(heal(lost, { orphans: 'drop' })).toEqual([lost[1], lost[3], continued])
  })
})

describe('what is made up', () => {
  const broken = [user('u1'), calls('c1', 'A', 'B'), user('u2')]

  test('has ids of its own, the same in every process', () => {
    expect(idsOf(heal(broken))).toEqual(['u1', 'c1', 'antiphon-oyrki5M8gQ', 'antiphon-e7IpgRQbv3', 'u2'])
  })

  test('has no id that is taken', () => {
    const taken = [...broken.slice(0, 2), user('antiphon-oyrki5M8gQ')]
    const ids = idsOf(heal(taken))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('is spelled as the history is', () => {
    const { toolCalls, ...plain } = calls('c1', 'A')
    const stored = [user('u1'), { ...plain, tool_calls: toolCalls, encrypted_value: null }, user('u2')]
    expect(heal(stored, { format: 'ag-ui' })[2]).toMatchObject({ role: 'tool', tool_call_id: 'A' })
    expect(heal(stored, { format: 'ag-ui' })[2]).not.toHaveProperty('toolCallId')
  })

  test('says as an error what it says', () => {
    const [, , placeholder] = heal<unknown[]>(broken)
    const text = '[no result] No result of this call was recorded. Whether it ran is not known.'
    expect(placeholder).toMatchObject({ content: text, error: text })
  })
})

test('assistant text between calls and a result stays a message of its own, after the result', () => {
  const history = [user('u1'), calls('c1', 'A'), says('a1', 'One moment.'), result('t1', 'A'), user('u2')]
  expect(heal(history)).toEqual([history[0], history[1], history[3], history[2], history[4]])
})

test('a result that is a value becomes its JSON', () => {
  const value = { ...result('t1', 'A'), content: { degrees: 24 } }
  const [, , healed] = heal<unknown[]>([user('u1'), calls('c1', 'A'), value])
  expect(healed).toEqual({ ...value, content: '{"degrees":24}' })
})

test('a shrunk history with its words hidden still shows the fault', () => {
  const history = [user('u1'), activity('a1'), calls('c1', 'A'), result('t1', 'A'), result('t2', 'A')]
  const shown = shrink(history, { redact: true })
  expect(shown?.diagnostic).toMatchObject({ rule: 'duplicate-result', callId: 'A' })
  expect(detect(shown?.messages)).toBe('ag-ui')
})

test('media of every kind are read as they are written, in both spellings', () => {
  const { read, write } = pieces['ag-ui']
  for (const type of ['image', 'audio', 'video', 'file'] as const) {
    const media = { kind: 'media', type, mime: 'x/y', data: 'AAAA', name: 'a.bin' } as const
    expect(read(write(media, 'user'))).toEqual(media)
    expect(read(write({ kind: 'media', type, url: 'https://example.test/a' }, 'result'))).toMatchObject({ type })
  }
  const stored = { type: 'image', source: { type: 'data', value: 'AAAA', mime_type: 'image/gif' } }
  expect(read(stored)).toEqual({ kind: 'media', type: 'image', mime: 'image/gif', data: 'AAAA' })
  const old = { type: 'binary', mimeType: 'audio/wav', url: 'https://example.test/a.wav', filename: 'a.wav' }
  expect(read(old)).toMatchObject({ type: 'audio', url: old.url, name: 'a.wav' })
})
