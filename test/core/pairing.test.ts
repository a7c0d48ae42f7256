import { describe, expect, test } from 'vitest'
import type { CallPart, Message, Part, ResultPart } from '../../src/core/conversation.ts'
import { pairCalls } from '../../src/core/pairing/pairing.ts'
import { placeholderTexts } from '../../src/core/placeholder.ts'

/**
 * A history in lines: `user`, `assistant`, `calls id:tool ...`, `result id text`, where an id may be `-` for none and a result `id:tool`.
 * The arguments of a call are its place among all calls, counted from 1.
 */
function messagesOf(lines: readonly string[]): Message[] {
  let calls = 0
  return lines.map((line, key) => {
    const [word, ...rest] = line.split(' ')
    if (word === 'calls') return { key, role: 'assistant', parts: rest.map(text => callOf(text, ++calls)) }
    if (word === 'result') return { key, role: 'tool', parts: [resultOf(rest[0], rest.slice(1).join(' '))] }
    return { key, role: word as 'user' | 'assistant', parts: [{ kind: 'text', text: line }] }
  })
}

const [idOf, nameOf] = [0, 1].map(at => (text: string) => text.split(':')[at]?.replace('-', '') ?? '')

const callOf = (text: string, input: number): Part => ({
  kind: 'call',
  id: idOf(text),
  name: nameOf(text) || 'search',
  input: { input },
  callKind: 'function',
  by: 'client',
})

const resultOf = (text: string, content: string): Part => ({
  kind: 'result',
  id: idOf(text),
  ...(nameOf(text) && { name: nameOf(text) }),
  content,
  callKind: 'function',
  by: 'client',
})

/** What answers each call, in order; a dash where nothing does. */
const answersIn = (...lines: string[]): string[] =>
  pairCalls(messagesOf(lines)).calls.map(({ answer }) => String(answer?.part.content ?? '-'))

describe('[R3] where ids restart in every turn, a stray result is assigned to the only call without a result', () => {
  test('before it, with another call of that id answered earlier', () => {
    const turn = ['user', 'calls a', 'result a one', 'assistant', 'user']
    expect(answersIn(...turn, 'result a two', 'calls a', 'assistant')).toEqual(['one', 'two'])
  })

  test('before everything else, if only one call is open', () => {
    const turn = ['user', 'calls a', 'result a one', 'assistant']
    expect(answersIn('result a two', ...turn, 'user', 'calls a', 'assistant')).toEqual(['one', 'two'])
    expect(answersIn('result a two', 'user', 'calls a', 'user', 'calls a')).toEqual(['-', '-'])
  })

  test('late, after a turn that has its own', () => {
    const lines = ['user', 'calls a', 'user', 'calls a', 'result a two', 'assistant', 'result a one']
    expect(answersIn(...lines)).toEqual(['one', 'two'])
  })

  test('but not if it may be a second answer in its place, repeats the first, or belongs to a later turn', () => {
    expect(answersIn('user', 'calls a', 'user', 'calls a', 'result a two', 'result a more')).toEqual(['-', 'two'])
    expect(answersIn('user', 'calls a', 'result a one', 'user', 'result a one', 'calls a')).toEqual(['one', '-'])
    const late = ['user', 'calls a', 'result a one', 'assistant', 'result a two', 'assistant', 'user', 'calls a']
    expect(answersIn(...late)).toEqual(['one', '-'])
  })

  test('never that of another tool than it names', () => {
    const lines = ['user', 'calls a:read', 'user', 'calls a:write', 'result a two', 'assistant']
    expect(answersIn(...lines, 'result a:read one')).toEqual(['one', 'two'])
    expect(answersIn(...lines, 'result a:write one')).toEqual(['-', 'two'])
  })

  test('a placeholder is not moved, and the late result that it stands for is kept', () => {
    const turn = ['user', 'calls a', 'result a one', 'assistant', 'user']
    expect(answersIn(...turn, `result a ${placeholderTexts.unknown}`, 'calls a')).toEqual(['one', '-'])
    const waiting = ['user', 'calls a', `result a ${placeholderTexts.unknown}`, 'user']
    expect(answersIn(...waiting, 'result a one', 'calls a')).toEqual(['one', '-'])
  })

  test('a result after a call answers it, whatever comes before the call', () => {
    expect(answersIn('user', 'result a gone', 'calls a', 'result a own')).toEqual(['own'])
  })

  test('one result each', () => {
    const lines = ['user', 'calls a', 'result a one', 'user', 'result a two', 'assistant', 'result a three', 'calls a']
    const { calls } = pairCalls(messagesOf(lines))
    expect(calls.map(({ results }) => results.map(({ part }) => part.content))).toEqual([['one', 'three'], ['two']])
  })
})

describe('[R4] a call whose id is missing, or is shared with a call next to it, is answered by the results that follow it', () => {
  test('by a result whose id no other call has', () => {
    expect(answersIn('user', 'calls - b', 'result a one', 'result b two')).toEqual(['one', 'two'])
    expect(answersIn('user', 'calls b b', 'result b one', 'result a two')).toEqual(['one', 'two'])
    expect(answersIn('user', 'calls - -', 'result a one', 'result b two')).toEqual(['one', 'two'])
  })

  test('all results with such an id are of one call', () => {
    expect(answersIn('user', 'calls - b', 'result a one', 'result a more', 'result b two')).toEqual(['one', 'two'])
  })

  test('by a result whose id an answered call of another turn has', () => {
    expect(answersIn('user', 'calls a', 'result a one', 'user', 'calls -', 'result a two')).toEqual(['one', 'two'])
    expect(answersIn('user', 'calls a', 'result a one', 'user', 'calls -', 'result a one')).toEqual(['one', '-'])
  })

  test('by the name of the tool', () => {
    const calls = 'calls -:read -:write'
    expect(answersIn('user', calls, 'result b:write two', 'result a:read one')).toEqual(['one', 'two'])
    expect(answersIn('user', calls, 'result b:list two', 'result a:read one')).toEqual(['one', '-'])
  })

  test('results without an id take the calls without one, unless those are answered', () => {
    expect(answersIn('user', 'calls a -', 'result - two')).toEqual(['-', 'two'])
    expect(answersIn('user', 'calls a -', 'result - one', 'result b two')).toEqual(['one', 'two'])
    expect(answersIn('user', 'calls - -', 'result a one', 'result - two')).toEqual(['one', 'two'])
  })

  test('two pairs of a name and an id that read alike are two', () => {
    const calls = [callOf('-:read', 1), { ...callOf('-', 2), name: 'read b' }]
    const results = [
      { ...resultOf('-:read', 'one'), id: 'b c' },
      { ...resultOf('c', 'two'), name: 'read b' },
    ]
    const messages = results.map((part, index): Message => ({ key: index + 1, role: 'tool', parts: [part] }))
    const paired = pairCalls([{ key: 0, role: 'assistant', parts: calls }, ...messages])
    expect(paired.calls.map(({ answer }) => answer?.part.content)).toEqual(['one', 'two'])
  })

  test('but not if there are more or fewer of them, or another message is in between', () => {
    expect(answersIn('user', 'calls - -', 'result a one')).toEqual(['-', '-'])
    expect(answersIn('user', 'calls -', 'result a one', 'result b two')).toEqual(['-'])
    expect(answersIn('user', 'calls -', 'user', 'result a one')).toEqual(['-'])
  })
})

describe('[R5] a result directly after a step, whose id is not that of its call, answers an open call', () => {
  test('the only one, and as many as there are, in their order', () => {
    expect(answersIn('user', 'calls b', 'result a one')).toEqual(['one'])
    expect(answersIn('user', 'calls a b c', 'result x one', 'result b two', 'result y three')).toEqual([
      ...['one', 'two', 'three'],
    ])
    expect(answersIn('user', 'calls b', 'assistant', 'result a one')).toEqual(['one'])
  })

  test('whose id was cut, or has another prefix, whatever the order and the count', () => {
    const calls = 'calls call_AAAAAAAAAAAAAAAA call_BBBBBBBBBBBBBBBB'
    expect(answersIn('user', calls, 'result call_BBBBBBBB two', 'result call_AAAAAAAA one')).toEqual(['one', 'two'])
    expect(answersIn('user', calls, 'result toolu_BBBBBBBBBBBBBBBB two')).toEqual(['-', 'two'])
    expect(answersIn('user', 'calls - call_BBBBBBBBBBBBBBBB', 'result BBBBBBBB two')).toEqual(['-', 'two'])
  })

  test('an id that looks like two calls, or one for which two results come, says nothing', () => {
    const calls = 'calls call_AAAAAAAA1 call_AAAAAAAA2'
    expect(answersIn('user', calls, 'result call_AAAAAAAA one')).toEqual(['-', '-'])
    expect(answersIn('user', 'calls call_AAAAAAAA1 b', 'result call_AAAAAAAA one', 'result AAAAAAAA1 two')).toEqual([
      ...['one', 'two'],
    ])
    expect(answersIn('user', 'calls call_1 call_2', 'result call_12 one')).toEqual(['-', '-'])
  })

  test('two different results of one id are those of two calls, by their order', () => {
    expect(answersIn('user', 'calls a b', 'result a one', 'result a two')).toEqual(['one', 'two'])
    expect(answersIn('user', 'calls a b', 'result b one', 'result b two')).toEqual(['one', 'two'])
    expect(answersIn('user', 'calls a b c', 'result a one', 'result c two', 'result c three')).toEqual([
      ...['one', 'two', 'three'],
    ])
    expect(answersIn('user', 'calls a b', 'result x one', 'result x two')).toEqual(['one', 'two'])
  })

  test('but not where they say the same, where the second is a placeholder, or where the first was an error', () => {
    expect(answersIn('user', 'calls a b', 'result a one', 'result a one')).toEqual(['one', '-'])
    expect(answersIn('user', 'calls a b', 'result a one', `result a ${placeholderTexts.unknown}`)).toEqual(['one', '-'])
    const messages = messagesOf(['user', 'calls a b', 'result a failed', 'result a one'])
    const failed = { ...messages[2], parts: [{ ...messages[2].parts[0], error: true } as Part] }
    const { calls } = pairCalls(messages.toSpliced(2, 1, failed))
    expect(calls.map(({ answer }) => answer?.part.content)).toEqual(['one', undefined])
  })

  test('by the name of the tool, and never that of another', () => {
    expect(answersIn('user', 'calls a:read b:write', 'result x:write two', 'result y:read one')).toEqual(['one', 'two'])
    expect(answersIn('user', 'calls a:read b:write', 'result x:write two')).toEqual(['-', 'two'])
    expect(answersIn('user', 'calls a:read', 'result x:write two')).toEqual(['-'])
    expect(answersIn('user', 'calls a:read b:read', 'result x:read one')).toEqual(['-', '-'])
  })

  test('a real result before a placeholder', () => {
    expect(answersIn('user', 'calls a', `result x ${placeholderTexts.unknown}`, 'result y one')).toEqual(['one'])
    expect(answersIn('user', 'calls a', 'result x aborted')).toEqual(['aborted'])
  })

  test('also where the id is that of an answered call of an earlier step, of the same tool', () => {
    expect(answersIn('user', 'calls a', 'result a one', 'calls b', 'result a two')).toEqual(['one', 'two'])
    expect(answersIn('user', 'calls a', 'result a one', 'calls b c', 'result b two', 'result a three')).toEqual([
      ...['one', 'two', 'three'],
    ])
    expect(answersIn('user', 'calls a:read', 'result a one', 'calls b:write', 'result a two')).toEqual(['one', '-'])
    expect(answersIn('user', 'calls a', 'result a one', 'calls b', 'result a one')).toEqual(['one', '-'])
    expect(answersIn('user', 'calls a', 'result a one', 'calls b c', 'result a two')).toEqual(['one', '-', '-'])
  })

  test('a second result of a call never answers a call of another tool', () => {
    expect(answersIn('user', 'calls a:refund b:delete', 'result a one', 'result a two')).toEqual(['one', '-'])
    expect(answersIn('user', 'calls a:read b:delete c:read', 'result a one', 'result a two')).toEqual([
      'one',
      '-',
      'two',
    ])
  })

  test('by an id in another spelling, before the order counts', () => {
    const calls = 'calls functions.bash.0 functions.bash.1'
    expect(answersIn('user', calls, 'result functions_bash_1 two', 'result functions_bash_0 one')).toEqual([
      'one',
      'two',
    ])
    expect(answersIn('user', 'calls b.0 b.1', 'result b_1 two', 'result b_0 one')).toEqual(['one', 'two'])
    expect(answersIn('user', 'calls call_AB call_CD', 'result CALL_CD two', 'result CALL_AB one')).toEqual([
      'one',
      'two',
    ])
  })

  test('not if its call comes later, or another message is in between', () => {
    expect(answersIn('user', 'calls a', 'result b two', 'user', 'calls b')).toEqual(['-', 'two'])
    expect(answersIn('user', 'calls a', 'user', 'result x one')).toEqual(['-'])
    expect(answersIn('user', 'calls a b', 'result x one')).toEqual(['-', '-'])
    expect(answersIn('user', 'calls a', 'result x one', 'result y two')).toEqual(['-'])
  })
})

describe('[R4] calls of one step with one id', () => {
  test('are answered by tool name, in whichever order their results come', () => {
    expect(answersIn('user', 'calls a:find a:book', 'result a:book two', 'result a:find one')).toEqual(['one', 'two'])
  })
})

describe('[R8] where a result is written into the part of its call', () => {
  const format = { fused: true } as const
  const fusedCall = (raw: object, input: number): Part => ({ ...(callOf('a', input) as CallPart), raw })
  const fusedResult = (raw: object, content: string): Message => ({
    key: 1,
    role: 'tool',
    parts: [{ ...(resultOf('a', content) as ResultPart), raw }],
  })
  const answersOf = (inputs: readonly number[], answered: number): string[] => {
    const raws = inputs.map(input => ({ input }))
    const step: Message = { key: 0, role: 'assistant', parts: inputs.map((input, at) => fusedCall(raws[at], input)) }
    const { calls } = pairCalls([step, fusedResult(raws[answered], 'done')], false, format)
    return calls.map(({ answer }) => String(answer?.part.content ?? '-'))
  }

  test('it answers that call, though an open call before it has the same id', () => {
    expect(answersOf([1, 2], 1)).toEqual(['-', 'done'])
    expect(answersOf([1, 2], 0)).toEqual(['done', '-'])
  })

  test('it answers the first of two identical calls: the call was stored twice', () => {
    expect(answersOf([1, 1], 1)).toEqual(['done', '-'])
  })
})

describe('[R10] a result that has the item id of a call instead of its call id', () => {
  const calling = (...calls: readonly (readonly [id: string, itemId?: string])[]): Message => ({
    key: 0,
    role: 'assistant',
    parts: calls.map(([id, itemId], at) => ({ ...(callOf(id, at) as CallPart), ...(itemId && { itemId }) })),
  })
  const result = (id: string, content: string): Message => ({ key: 1, role: 'tool', parts: [resultOf(id, content)] })
  const answersOf = (...messages: Message[]): string[] =>
    pairCalls(messages).calls.map(({ answer }) => String(answer?.part.content ?? '-'))

  test('answers that call', () => {
    expect(answersOf(calling(['a', 'fc_1'], ['b', 'fc_2'], ['c']), result('fc_2', 'two'))).toEqual(['-', 'two', '-'])
  })

  test('answers none if two calls before it have the item id, and the first if the second comes later', () => {
    const step = calling(['a', 'fc_1'], ['b'])
    expect(answersOf(calling(['a', 'fc_1'], ['b', 'fc_1']), result('fc_1', 'one'))).toEqual(['-', '-'])
    expect(answersOf(step, result('fc_1', 'one'), calling(['c', 'fc_1']))).toEqual(['one', '-', '-'])
  })

  test('answers none that comes after it', () => {
    expect(answersOf(result('fc_1', 'one'), calling(['a', 'fc_1'], ['b']))).toEqual(['-', '-'])
  })
})

describe('[R9] a call that the provider ran', () => {
  const ran = (kind: 'call' | 'result', id: string, callKind = 'server'): Part =>
    ({ ...(kind === 'call' ? callOf(id, 1) : resultOf(id, 'done')), by: 'provider', callKind }) as Part
  const unpairedIn = (parts: Part[], ...later: Message[]): string[] =>
    pairCalls([{ key: 0, role: 'assistant', parts }, ...later]).unpaired.map(({ part }) => `${part.kind} ${part.id}`)
  const user: Message = { key: 1, role: 'user', parts: [{ kind: 'text', text: 'And now?' }] }

  test('is paired with one result of its own id and callKind', () => {
    expect(unpairedIn([ran('call', 'a'), ran('result', 'a')], user)).toEqual([])
    expect(unpairedIn([ran('call', 'a'), ran('call', 'a'), ran('result', 'a')], user)).toEqual(['call a'])
    expect(unpairedIn([ran('call', 'a'), ran('result', 'a'), ran('result', 'a')], user)).toEqual(['result a'])
    expect(unpairedIn([ran('call', 'a'), ran('result', 'a', 'mcp')], user)).toEqual(['result a', 'call a'])
    expect(unpairedIn([ran('call', 'a')], user, { key: 2, role: 'assistant', parts: [ran('result', 'a')] })).toEqual([
      'call a',
      'result a',
    ])
  })

  test('may still be open at the end of the last turn', () => {
    expect(unpairedIn([ran('call', 'a')])).toEqual([])
  })
})

describe('so many that the square of it would not come to an end', () => {
  const many = 150_000
  const repeat = (...lines: string[]): string[] => Array.from({ length: many }, () => lines).flat()

  test('[X2] results of one call, and one for another call with its id', () => {
    const lines = ['user', 'calls a', 'user', 'calls a', ...repeat('result a two'), 'assistant', 'result a one']
    const { calls } = pairCalls(messagesOf(lines))
    expect(calls.map(({ results }) => results.length)).toEqual([1, many])
  })

  test('[X2] results that no call has the id of, after as many calls', () => {
    const each = (line: (index: number) => string): string[] => Array.from({ length: many }, (_, index) => line(index))
    const calls = `calls ${each(index => `call_${index}`).join(' ')}`
    const messages = messagesOf(['user', calls].concat(each(index => `result other_${index} ${index}`)))
    expect(pairCalls(messages).calls.map(({ answer }) => answer?.part.content)).toEqual(each(String))
  })

  test('[X8] calls with one id, each with its result in the same message', () => {
    const parts = Array.from({ length: many }, (_, input) => [callOf('a', input), resultOf('a:search', 'done')]).flat()
    const { calls } = pairCalls([{ key: 0, role: 'assistant', parts }])
    expect(calls.every(({ results }) => results.length === 1)).toBe(true)
  })
})
