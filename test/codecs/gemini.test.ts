import { describe, expect, test } from 'vitest'
import { pieces } from '../../src/codecs/shared/pieces-of.ts'
import { placeholderTexts } from '../../src/core/placeholder.ts'
import { check, heal, healRequest } from '../../src/index.ts'
import fixture from '../fixtures/gemini.json' with { type: 'json' }

const options = { format: 'gemini', for: 'gemini' } as const
const user = (...parts: unknown[]) => ({ role: 'user', parts })
const model = (...parts: unknown[]) => ({ role: 'model', parts })
const hi = user({ text: 'hello' })
const nothing = { error: placeholderTexts.unknown }

describe('gemini', () => {
  test('a long conversation comes back as the same reference, for every reader and model', () => {
    for (const reader of ['gemini', 'vertex', 'lenient'] as const) {
      expect(check(fixture, { for: reader, model: 'gemini-3-pro' })).toEqual([])
      expect(heal(fixture, { for: reader })).toBe(fixture)
    }
  })

  test('results without ids answer calls by name and order, and only what is left gets a placeholder', () => {
    const call = (path: string) => ({ functionCall: { name: 'read', args: { path } } })
    const list = { functionCall: { name: 'list' } }
    const result = { functionResponse: { name: 'read', response: { output: 'first' } } }
    const listed = { functionResponse: { name: 'list', response: { output: 'all' } } }
    const calls = model(call('a'), call('b'), list)
    const missing = { functionResponse: { name: 'read', response: nothing } }
    expect(heal([hi, calls, user(listed, result)], options)).toEqual([hi, calls, user(listed, result, missing)])
  })

  test('what is made up is spelled like what stands around it', () => {
    const call = model({ function_call: { id: 'a', name: 'read', args: {} } })
    const missing = user({ function_response: { id: 'a', name: 'read', response: nothing } })
    expect(heal([hi, call], options)).toEqual([hi, call, missing])
  })

  test('media of a result stay with it when it moves', () => {
    const result = { functionResponse: { name: 'look', response: {}, parts: [{ inlineData: { data: 'aGk=' } }] } }
    const call = { functionCall: { name: 'look', args: {} } }
    expect(heal([hi, model(call, result), hi], options)).toEqual([hi, model(call), user(result), hi])
  })

  test('an empty text goes, unless it carries a signature', () => {
    const signed = { text: '', thoughtSignature: 'c2ln' }
    const words = { text: 'done' }
    expect(heal([hi, model(words, { text: '' }, {}, signed), hi], options)).toEqual([hi, model(words, signed), hi])
  })

  test('texts in place of parts, and one part in place of a list, stay as they are', () => {
    const history = [user('hello'), { role: 'model', parts: { text: 'hi there' } }, { role: 'user', parts: 'bye' }]
    expect(heal(history, options)).toBe(history)
    const broken = [...history, { role: 'user', parts: 'again' }]
    expect(heal(broken, { ...options, cautious: true })).toEqual([
      ...history.slice(0, 2),
      user({ text: 'bye' }, { text: 'again' }),
    ])
  })

  test('a content of another wire is not taken for an empty turn', () => {
    const history = [hi, { role: 'user', content: 'my own words' }]
    expect(heal(history, options)).toBe(history)
  })

  test('system messages are appended to the system field of the request', () => {
    const contents = [{ role: 'system', parts: [{ text: 'be brief' }] }, hi]
    const { body } = healRequest({ contents, systemInstruction: { parts: [{ text: 'be kind' }] } })
    expect(body).toEqual({ contents: [hi], systemInstruction: { parts: [{ text: 'be kind' }, { text: 'be brief' }] } })
  })

  test('a result says its words, its value, or all that stands in it', () => {
    const { readResult } = pieces.gemini
    expect(readResult({ error: 'no such file' })).toEqual([{ kind: 'text', text: 'no such file' }])
    expect(readResult({ result: [1, 2] })).toEqual([{ kind: 'json', value: [1, 2] }])
    expect(readResult({ output: 'x', code: 0 })).toEqual([{ kind: 'json', value: { output: 'x', code: 0 } }])
    expect(readResult(undefined)).toEqual([])
  })
})
