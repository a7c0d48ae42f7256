import { describe, expect, test } from 'vitest'
import { type DialectId, type HealOptions, heal, repair } from '../../src/index.ts'
import { judge } from '../oracle/judge.ts'
import { lost } from '../oracle/loss.ts'
import { sketch } from '../sketch.ts'

/** A history without a wire; results that stand together share a message where the wire lets them. */
type Entry =
  | { says: 'user' | 'assistant' | 'system'; text: string; extra?: object }
  | { calls: string[]; text?: string; extra?: object }
  | { answers: string; text: string }

const user = (text: string): Entry => ({ says: 'user', text })
const system = (text: string): Entry => ({ says: 'system', text })
const assistant = (text: string): Entry => ({ says: 'assistant', text })
const calls = (...ids: string[]): Entry => ({ calls: ids })
const result = (answers: string, text: string): Entry => ({ answers, text })

/** How a fault is healed. Lines say the same in both wires, where results of one step are drawn one by one. */
interface Fault {
  title: string
  broken: Entry[]
  healed: string[]
  /** Where the wire of blocks differs: it knows no system message. */
  healedInBlocks?: string[]
  /** A result without a call, and what is left if it is dropped. */
  orphan?: string
  dropped?: string[]
}

/** Each seen in a sanitizer that people use. */
const peerFaults: Fault[] = [
  {
    title: '[F1] with a message between call and result, the real result is kept, and nothing is made up',
    broken: [user('hi'), calls('A'), user('wait'), result('A', 'sunny'), assistant('it is sunny')],
    healed: ['user: hi', 'assistant: A', 'result A: sunny', 'user: wait', 'assistant: it is sunny'],
  },
  {
    title: '[F5] an aborted assistant message is kept, with its call and its result',
    broken: [
      user('hi'),
      { calls: ['A'], text: 'let me', extra: { stopReason: 'aborted', errorMessage: 'stopped' } },
      result('A', 'sunny'),
      user('go on'),
    ],
    healed: ['user: hi', 'assistant: let me + A', 'result A: sunny', 'user: go on'],
  },
  {
    title: '[F6] one missing result of three: the three calls are kept, with one placeholder',
    broken: [user('hi'), calls('A', 'B', 'C'), result('A', 'one'), result('C', 'three'), user('and?')],
    healed: ['user: hi', 'assistant: A + B + C', 'result A: one', 'result B: ?', 'result C: three', 'user: and?'],
  },
  {
    title: '[F7] a call deep in the history is answered, not only one at its end',
    broken: [
      ...[user('one'), calls('A'), user('two'), calls('B'), result('B', 'b'), assistant('so')],
      ...[user('three'), calls('C'), result('C', 'c'), user('four')],
    ],
    healed: [
      ...['user: one', 'assistant: A', 'result A: ?', 'user: two', 'assistant: B', 'result B: b', 'assistant: so'],
      ...['user: three', 'assistant: C', 'result C: c', 'user: four'],
    ],
  },
  {
    title: '[F7] an orphan deep in the history is repaired, not only one at its end',
    broken: [user('one'), result('X', 'stray'), assistant('so'), user('two'), calls('A'), result('A', 'sunny')],
    healed: [
      ...['user: one', 'assistant: X', 'result X: stray', 'assistant: so'],
      ...['user: two', 'assistant: A', 'result A: sunny'],
    ],
    dropped: ['user: one', 'assistant: so', 'user: two', 'assistant: A', 'result A: sunny'],
    orphan: 'stray',
  },
  {
    title: '[F8] user messages between results are kept, word for word',
    broken: [user('hi'), calls('A', 'B'), result('A', 'a'), user('first'), user('second'), result('B', 'b')],
    healed: ['user: hi', 'assistant: A + B', 'result A: a', 'result B: b', 'user: first', 'user: second'],
  },
  {
    title: '[F9] a result is assigned to a call by position only if no other call can be meant',
    broken: [user('hi'), calls('A', 'B'), result('X', 'of one of them'), user('and?')],
    healed: [
      ...['user: hi', 'assistant: A + B', 'result A: ?', 'result B: ?'],
      ...['assistant: X', 'result X: of one of them', 'user: and?'],
    ],
    dropped: ['user: hi', 'assistant: A + B', 'result A: ?', 'result B: ?', 'user: and?'],
    orphan: 'of one of them',
  },
  {
    title: '[F9] the only result directly after the only open call answers it',
    broken: [user('hi'), calls('A'), result('X', 'sunny'), user('and?')],
    healed: ['user: hi', 'assistant: A', 'result A: sunny', 'user: and?'],
  },
]

/** The rows of the table in which the peers are compared. */
const rows: Fault[] = [
  {
    title: '[F10] orphan result',
    broken: [user('hi'), result('X', 'stray'), assistant('hello')],
    healed: ['user: hi', 'assistant: X', 'result X: stray', 'assistant: hello'],
    dropped: ['user: hi', 'assistant: hello'],
    orphan: 'stray',
  },
  {
    title: '[F11] call without result, user follows',
    broken: [user('hi'), calls('A'), user('and?')],
    healed: ['user: hi', 'assistant: A', 'result A: ?', 'user: and?'],
  },
  {
    title: '[F12] call without result, at the end',
    broken: [user('hi'), calls('A')],
    healed: ['user: hi', 'assistant: A', 'result A: ?'],
  },
  {
    title: '[F13] user message between call and result',
    broken: [user('hi'), calls('A', 'B'), result('A', 'a'), user('wait'), result('B', 'b')],
    healed: ['user: hi', 'assistant: A + B', 'result A: a', 'result B: b', 'user: wait'],
  },
  {
    title: '[F14] result after a later assistant message',
    broken: [user('hi'), calls('A'), user('joke?'), assistant('knock knock'), result('A', 'sunny'), user('so?')],
    healed: ['user: hi', 'assistant: A', 'result A: sunny', 'user: joke?', 'assistant: knock knock', 'user: so?'],
  },
  {
    title: '[F15] result before its call',
    broken: [user('hi'), result('A', 'sunny'), calls('A'), assistant('it is sunny')],
    healed: ['user: hi', 'assistant: A', 'result A: sunny', 'assistant: it is sunny'],
  },
  {
    title: '[F16] two results for one call',
    broken: [user('hi'), calls('A'), result('A', 'sunny'), result('A', 'sunny'), assistant('it is sunny')],
    healed: ['user: hi', 'assistant: A', 'result A: sunny', 'assistant: it is sunny'],
  },
  {
    title: '[F18] assistant text split off after its calls',
    broken: [user('hi'), calls('A'), assistant('let me look'), result('A', 'sunny'), user('so?')],
    healed: ['user: hi', 'assistant: let me look + A', 'result A: sunny', 'user: so?'],
  },
  {
    title: '[F19] parallel calls stored as separate rows',
    broken: [user('hi'), calls('A'), calls('B'), result('A', 'a'), result('B', 'b'), user('so?')],
    healed: ['user: hi', 'assistant: A + B', 'result A: a', 'result B: b', 'user: so?'],
  },
  {
    title: '[F20] parallel calls, one unanswered',
    broken: [user('hi'), calls('A', 'B'), result('B', 'b'), user('so?')],
    healed: ['user: hi', 'assistant: A + B', 'result A: ?', 'result B: b', 'user: so?'],
  },
  {
    title: '[F21] system message in the middle of a step',
    broken: [user('hi'), calls('A'), system('be kind'), result('A', 'sunny'), user('so?')],
    healed: ['user: hi', 'assistant: A', 'result A: sunny', 'system: be kind', 'user: so?'],
    healedInBlocks: ['user: hi', 'assistant: A', 'result A: sunny', 'user: be kind', 'user: so?'],
  },
]

/** What another system writes in place of a result; to leave it out loses nothing. */
const madeUpByOthers = '[Request interrupted by user for tool use]'

const wires: { format: 'openai-chat' | 'anthropic'; write(entries: Entry[]): unknown[] }[] = [
  { format: 'openai-chat', write: writeChat },
  { format: 'anthropic', write: writeBlocks },
]

const readers: DialectId[] = ['openai', 'anthropic']

const ways = wires.flatMap(wire => readers.map(reader => ({ ...wire, reader })))

describe.each(ways)('$format for $reader', ({ format, write, reader }) => {
  const options: HealOptions = { format, for: reader }

  /** The healed history in lines; it is accepted, and nothing else than `gone` is lost. */
  function healed(broken: Entry[], gone: string[] = [], choices: HealOptions = {}): string[] {
    const before = write(broken)
    const { messages, remaining, repairs } = repair(before, { ...options, ...choices })
    expect(remaining.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(judge(messages, format, reader).filter(({ pedantic }) => !pedantic)).toEqual([])
    expect(lost(before, messages, format)).toEqual({ texts: [], results: gone })
    expect(repairs.some(entry => entry.class === 'lossy')).toBe(gone.some(text => text !== madeUpByOthers))
    expect(heal(messages, { ...options, ...choices })).toBe(messages)
    return sketch(messages).flatMap(line => line.split(' | '))
  }

  test.each([...peerFaults, ...rows])('$title', ({ broken, healed: lines, healedInBlocks }) => {
    expect(healed(broken)).toEqual(format === 'anthropic' ? (healedInBlocks ?? lines) : lines)
  })

  test.each([...peerFaults, ...rows].filter(fault => fault.orphan !== undefined))(
    '$title, or it is dropped',
    ({ broken, orphan = '', dropped }) => {
      expect(healed(broken, [orphan], { orphans: 'drop' })).toEqual(dropped)
    },
  )

  test('[F2] a result that comes after its placeholder replaces it', () => {
    const begun = write([user('hi'), calls('A', 'B'), result('B', 'b'), user('and?')])
    const stored = heal(begun, options)
    expect(sketch(stored).join()).toContain('result A: ?')
    const late = heal([...stored, ...write([result('A', 'sunny at last')])], options)
    expect(judge(late, format, reader).filter(({ pedantic }) => !pedantic)).toEqual([])
    expect(sketch(late).flatMap(line => line.split(' | '))).toEqual([
      ...['user: hi', 'assistant: A + B', 'result A: sunny at last', 'result B: b', 'user: and?'],
    ])
  })

  test('[F2] so does one after the placeholder of another system', () => {
    const broken = [user('hi'), calls('A'), result('A', madeUpByOthers), user('and?'), result('A', 'sunny')]
    const expected = ['user: hi', 'assistant: A', 'result A: sunny', 'user: and?']
    expect(healed(broken, [madeUpByOthers], { allow: ['lossless'] })).toEqual(expected)
  })

  test('[F3] placeholders are in the order of their calls', () => {
    const ids = ['zulu', 'alpha', 'm9', 'm10', 'Bravo', 'b', 'a', '10', '9']
    expect(healed([user('hi'), calls(...ids), result('m10', 'here'), user('and?')])).toEqual([
      'user: hi',
      `assistant: ${ids.join(' + ')}`,
      ...ids.map(id => `result ${id}: ${id === 'm10' ? 'here' : '?'}`),
      'user: and?',
    ])
  })

  test('[F4] ids that repeat in a later turn are healed once and for all', () => {
    const turn = (text: string): Entry[] => [
      user(text),
      calls('A'),
      user('hm'),
      result('A', `of ${text}`),
      assistant('ok'),
    ]
    const lines = healed([...turn('one'), ...turn('two'), ...turn('three')])
    const ids = lines
      .filter(line => /^assistant: \S+$/.test(line) && line !== 'assistant: ok')
      .map(line => line.slice(11))
    expect(lines).toEqual(
      ['one', 'two', 'three'].flatMap((text, index) => [
        ...[
          `user: ${text}`,
          `assistant: ${ids[index]}`,
          `result ${ids[index]}: of ${text}`,
          'user: hm',
          'assistant: ok',
        ],
      ]),
    )
    expect(new Set(ids).size).toBe(reader === 'anthropic' ? 3 : 1)
  })

  test('[F16] of two different results for one call the first is kept, and the report contains the other', () => {
    const broken = [user('hi'), calls('A'), result('A', 'sunny'), result('A', 'rainy'), assistant('it is sunny')]
    expect(healed(broken, ['rainy'])[2]).toBe('result A: sunny')
  })

  test('[F17] two calls with one id are both kept, each with its own result', () => {
    const lines = healed([user('hi'), calls('A', 'A'), result('A', 'first'), result('A', 'second'), user('so?')])
    const [, both] = lines
    const [, second] = both.slice('assistant: '.length).split(' + ')
    expect(second).not.toBe('A')
    expect(lines.slice(1, 4)).toEqual([`assistant: A + ${second}`, 'result A: first', `result ${second}: second`])
  })

  test('[F22] truncated JSON arguments are wrapped as a whole', () => {
    const cut = '{"path": "/tmp/a", "text": "half a sen'
    const history = write([user('hi'), calls('A'), result('A', 'sunny')])
    const broken = JSON.parse(
      JSON.stringify(history)
        .replace('"{}"', JSON.stringify(cut))
        .replace('"input":{}', `"input":${JSON.stringify(cut)}`),
    )
    const after = heal(broken, options)
    expect(judge(after, format, reader).filter(({ pedantic }) => !pedantic)).toEqual([])
    const wrapped = format === 'anthropic' ? { _cut_off: cut } : JSON.stringify({ _cut_off: cut })
    expect(JSON.stringify(after[1])).toContain(JSON.stringify(wrapped))
  })

  test('[F23] an empty user or assistant message is removed or kept, and nothing else changes', () => {
    const lines = healed([user('hi'), assistant(''), user(''), calls('A'), result('A', 'sunny'), assistant('')])
    expect(lines.filter(line => !/^(user|assistant): ?$/.test(line))).toEqual([
      'user: hi',
      'assistant: A',
      'result A: sunny',
    ])
  })
})

function writeChat(entries: Entry[]): unknown[] {
  return entries.map(entry => {
    if ('answers' in entry) return { role: 'tool', tool_call_id: entry.answers, content: entry.text }
    if ('says' in entry) return { role: entry.says, content: entry.text, ...entry.extra }
    const tool_calls = entry.calls.map(id => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } }))
    return { role: 'assistant', content: entry.text ?? null, tool_calls, ...entry.extra }
  })
}

function writeBlocks(entries: Entry[]): unknown[] {
  const messages: { role: string; content: unknown }[] = []
  for (const [index, entry] of entries.entries()) {
    const before = entries[index - 1]
    if ('says' in entry) messages.push({ role: entry.says, content: entry.text, ...entry.extra })
    else if ('calls' in entry) {
      const uses = entry.calls.map(id => ({ type: 'tool_use', id, name: 'look', input: {} }))
      const said = entry.text === undefined ? [] : [{ type: 'text', text: entry.text }]
      messages.push({ role: 'assistant', content: [...said, ...uses], ...entry.extra })
    } else {
      const block = { type: 'tool_result', tool_use_id: entry.answers, content: entry.text }
      if (before && 'answers' in before) (messages[messages.length - 1].content as unknown[]).push(block)
      else messages.push({ role: 'user', content: [block] })
    }
  }
  return messages
}
