import { describe, expect, test } from 'vitest'
import { type CodecId, codecs } from '../../src/codecs/index.ts'
import { check, convert, type DialectId, heal, type Repair } from '../../src/index.ts'
import { validHistory } from '../laws/history.ts'
import { homes } from '../laws/laws.ts'
import { wordsIn } from '../laws/random.ts'
import { readersOf } from '../laws/try-laws.ts'
import { judge } from '../oracle/judge.ts'
import { read } from '../oracle/readers/read.ts'
import { seedsOf } from '../sample.ts'

const ids = Object.keys(codecs) as CodecId[]
const ways = ids.flatMap(from => ids.filter(to => to !== from).map(to => ({ from, to })))

/** Valid conversations whose ids are not used twice, with calls of functions only: others have no arguments to compare. */
function* conversations(codec: CodecId, numbers: readonly number[]): Generator<{ seed: number; history: unknown[] }> {
  const last = Math.max(...numbers)
  for (let [seed, number] = [0, 0]; number <= last; seed++) {
    const { messages, reusedIds } = validHistory(codec, seed)
    if (reusedIds || messages.some(isOfAnotherSort)) continue
    if (numbers.includes(number++)) yield { seed, history: messages }
  }
}

const isOfAnotherSort = (item: unknown): boolean =>
  /_call$/.test(String((item as { type?: unknown }).type)) && (item as { type: string }).type !== 'function_call'

/** What a conversation says, told by the independent reader: the words and the calls in order, and the words of results. */
function said(history: unknown[], codec: CodecId) {
  const entries = read(history, codec)
  const spoken = entries.filter(({ role }) => role !== 'tool').flatMap(({ texts }) => wordsIn(texts))
  const calls = entries.flatMap(entry => entry.calls.map(({ name, args }) => [name, argumentsOf(args)]))
  const results = entries.filter(({ role }) => role === 'tool').map(({ texts }) => wordsIn(texts).join(' '))
  return { spoken, calls, results: results.filter(Boolean).sort() }
}

/** The arguments without what a free text was wrapped in. */
function argumentsOf(args: string | undefined): string {
  const value = args === undefined || args === '' ? {} : parsed(args)
  return JSON.stringify(typeof value === 'string' ? { input: value } : value)
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

const callIds = (history: unknown[], codec: CodecId) =>
  read(history, codec).flatMap(({ calls }) => calls.map(({ id }) => id))

describe.each(ways)('$from to $to', ({ from, to }) => {
  test('[V1] every text, call and result is kept in order, and the provider accepts them', () => {
    for (const { seed, history } of conversations(from, seedsOf(8, 3))) {
      const there = convert(history, { from, to })
      expect(said(there, to), `seed ${seed}`).toEqual(said(history, from))
      expect(errors(there, to), `seed ${seed}`).toEqual([])
      for (const dialect of homes[to] ?? []) {
        const fit = convert(history, { from, to, for: dialect as DialectId })
        expect(
          judge(fit, to, dialect).filter(({ pedantic }) => !pedantic),
          `seed ${seed} for ${dialect}`,
        ).toEqual([])
      }
    }
  })

  test('[V2] back again they are the same, with the same ids', () => {
    for (const { seed, history } of conversations(from, seedsOf(8, 3))) {
      const map = new Map<string, string>()
      const reader = readersOf(to)[seed % readersOf(to).length]
      const there = convert(history, { from, to, for: reader, ids: map })
      const back = convert(there, { from: to, to: from, ids: map })
      expect(said(back, from), `seed ${seed}`).toEqual(said(history, from))
      expect(callIds(back, from), `seed ${seed}, by way of ${reader}`).toEqual(callIds(history, from))
      expect(convert(history, { from, to, for: reader, ids: map }), `again, seed ${seed}`).toEqual(there)
    }
  })
})

const errors = (history: unknown, format: CodecId) =>
  check(history, { format }).filter(({ severity }) => severity === 'error')

const question = { role: 'user', content: 'Find me a flight to Lisbon.' }
const call = (id: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'search', arguments: '{"to":"LIS"}' } }],
})
const result = (id: string, content = 'TP 1351') => ({ role: 'tool', tool_call_id: id, content })

describe('convert', () => {
  test('[V3] ids get the form that the provider accepts, and are restored', () => {
    const history = [
      question,
      call('toolu_01A'),
      result('toolu_01A'),
      { role: 'assistant', content: 'Done.' },
      question,
    ]
    const map = new Map<string, string>()
    const there = convert(history, { to: 'anthropic', for: 'mistral', ids: map })
    const [id] = callIds(there, 'anthropic')
    expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect([...map]).toEqual([[id, 'toolu_01A']])
    expect(callIds(convert(there, { from: 'anthropic', to: 'openai-chat', ids: map }), 'openai-chat')).toEqual([
      'toolu_01A',
    ])
  })

  test('[V3] an id that is used again gets another where it must, and both come back', () => {
    const turn = [question, call('call_1'), result('call_1'), { role: 'assistant', content: 'Done.' }]
    const map = new Map<string, string>()
    const there = convert([...turn, ...turn], { to: 'anthropic', ids: map })
    expect(new Set(callIds(there, 'anthropic')).size).toBe(2)
    expect(errors(there, 'anthropic')).toEqual([])
    expect(callIds(convert(there, { to: 'openai-chat', ids: map }), 'openai-chat')).toEqual(['call_1', 'call_1'])
    expect(convert([...turn, ...turn], { to: 'anthropic', ids: map })).toEqual(there)
  })

  test('[V3] one map works for several providers, also within one format', () => {
    const history = [question, call('functions.search:0'), result('functions.search:0'), question]
    const map = new Map<string, string>()
    for (const target of [
      { to: 'anthropic' },
      { to: 'langchain', for: 'mistral' },
      { to: 'openai-chat', for: 'mistral' },
    ] as const) {
      const there = convert(history, { ...target, ids: map })
      const back = convert(there, { from: target.to, to: 'openai-chat', ids: map })
      expect(callIds(back, 'openai-chat')).toEqual(['functions.search:0'])
    }
  })

  test('[V3] results whose ids are removed are in the order of their calls', () => {
    const fc = (city: string) => ({ functionCall: { name: 'weather', args: { city } } })
    const asked = [
      { role: 'user', parts: [{ text: 'Weather?' }] },
      { role: 'model', parts: [fc('Paris'), fc('Rome')] },
    ]
    const map = new Map<string, string>()
    const there = convert(asked, { from: 'gemini', to: 'openai-chat', ids: map, pending: 'keep' })
    const [paris, rome] = callIds(there, 'openai-chat') as string[]
    const answered = [...there, result(rome, 'Rome: sunny'), result(paris, 'Paris: rain')]
    const back = convert(answered, { from: 'openai-chat', to: 'gemini', ids: map })
    expect(JSON.stringify(back[2])).toMatch(/Paris: rain.*Rome: sunny/)
    expect(callIds(back, 'gemini')).toEqual([undefined, undefined])
  })

  test('[V4] images go along where both sides have them', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AAAA' } }
    const history = [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, image] }]
    const there = convert(history, { to: 'openai-chat' })
    expect(there).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,AAAA' } },
        ],
      },
    ])
    expect(convert(there, { from: 'openai-chat', to: 'anthropic' })).toEqual(history)
  })

  const shot = { type: 'image', source: { type: 'url', url: 'https://example.test/a.png' } }
  const pictured = [
    question,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'screenshot', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'ok' }, shot] }],
    },
  ]

  test('[V4] an image in a text-only result becomes a stub, and is reported', () => {
    const told: Repair[] = []
    const there = convert(pictured, { to: 'openai-chat', onRepair: report => told.push(...report.repairs) })
    expect(there[2]).toEqual({
      role: 'tool',
      tool_call_id: 'a',
      content: 'ok\n\n[image left out: it has no place in a result here]',
    })
    expect(told).toMatchObject([{ rule: 'converted-content', at: 'messages[2].content[0]', class: 'lossy' }])
    expect(JSON.stringify(told)).toContain('https://example.test/a.png')
  })

  test('[V4] if elevating is allowed it moves to a labelled user message', () => {
    const told: Repair[] = []
    const allow = ['lossless', 'synthetic', 'lossy', 'elevating'] as const
    const there = convert(pictured, { to: 'openai-chat', allow, onRepair: report => told.push(...report.repairs) })
    expect(there.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'ok\n\n[image in the next message]' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '[image from the result of screenshot]' },
          { type: 'image_url', image_url: { url: 'https://example.test/a.png' } },
        ],
      },
    ])
    expect(told.map(repair => repair.class)).toEqual(['elevating'])
  })

  test('[V5] foreign reasoning and provider-run calls are dropped and reported', () => {
    const told: Repair[] = []
    const history = [
      question,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'TAP flies there.', signature: 'EqQB' },
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'tap' } },
          { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
          { type: 'text', text: 'TP 1351.' },
        ],
      },
    ]
    const there = convert(history, { to: 'openai-chat', onRepair: report => told.push(...report.repairs) })
    expect(there).toEqual([question, { role: 'assistant', content: 'TP 1351.' }])
    expect(told.map(({ rule }) => rule)).toEqual([
      'converted-reasoning',
      'converted-provider-call',
      'converted-provider-call',
    ])
    expect(JSON.stringify(told)).toContain('TAP flies there.')
  })

  test('[V5] repairs made before the conversion are reported too, and placeholders are marked as errors', () => {
    const told: Repair[] = []
    const history = [question, call('a'), question, result('gone', 'lost words')]
    const there = convert(history, { to: 'anthropic', onRepair: report => told.push(...report.repairs) })
    expect(told.map(({ rule }) => rule)).toEqual(['orphan-result', 'unanswered-call'])
    expect(there[2]).toMatchObject({ content: [{ type: 'tool_result', tool_use_id: 'a', is_error: true }] })
  })

  test('[V5] a failed result says so in its text if the format has no error flag', () => {
    const failed = (output: unknown) => [
      question,
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'book', input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'book', output }] },
    ]
    const said = (output: unknown) => (convert(failed(output), { to: 'openai-chat' })[2] as { content: string }).content
    expect(said({ type: 'execution-denied' })).toContain('denied')
    expect(said({ type: 'error-text', value: 'no seats' })).toBe('[error]\n\nno seats')
    expect(said({ type: 'error-text', value: 'Error: no seats' })).toBe('Error: no seats')
    expect(said({ type: 'text', value: 'done' })).toBe('done')
  })

  test('[V4] content that cannot go along is never dropped in silence', () => {
    const told: Repair[] = []
    const file = { type: 'document', source: { type: 'file', file_id: 'f' }, cache_control: { type: 'ephemeral' } }
    const there = convert([{ role: 'user', content: [file, { type: 'text', text: 'Sum up.' }] }], {
      from: 'anthropic',
      to: 'gemini',
      onRepair: report => told.push(...report.repairs),
    })
    expect(JSON.stringify(there)).toContain('Sum up.')
    expect(told.map(({ rule }) => rule)).toEqual(['converted-content'])
    expect(
      convert([{ role: 'assistant', content: null, refusal: 'I cannot help.' }, question], {
        from: 'openai-chat',
        to: 'ai-sdk',
      })[0],
    ).toMatchObject({ role: 'assistant' })
  })

  test('[V4] media are written only in forms that the provider accepts', () => {
    const sent = (block: unknown, from: CodecId, to: CodecId) =>
      JSON.stringify(convert([wrap(block, from)], { from, to }))
    const wrap = (block: unknown, from: CodecId) =>
      from === 'gemini' ? { role: 'user', parts: [block] } : { role: 'user', content: [block] }
    expect(
      sent({ fileData: { mimeType: 'image/png', fileUri: 'gs://bucket/a.png' } }, 'gemini', 'anthropic'),
    ).toContain('image left out')
    expect(sent({ inlineData: { mimeType: 'text/csv', data: 'QQ==' } }, 'gemini', 'anthropic')).toContain(
      'file left out',
    )
    expect(sent({ inlineData: { mimeType: 'audio/ogg', data: 'QQ==' } }, 'gemini', 'openai-chat')).toContain(
      'audio left out',
    )
    expect(
      sent({ type: 'image', source: { type: 'url', url: 'https://x.test/a.jpg' } }, 'anthropic', 'gemini'),
    ).toContain('image/jpeg')
    expect(sent({ type: 'image', image: new URL('https://x.test/a.png') }, 'ai-sdk', 'openai-chat')).toContain(
      'https://x.test/a.png',
    )
  })

  test('[V5] a broken history arrives healed', () => {
    const there = convert([question, call('a'), question], { to: 'anthropic' })
    expect(errors(there, 'anthropic')).toEqual([])
    expect(said(there, 'anthropic').calls).toHaveLength(1)
  })

  test('[V6] in its own format it is healed, and a healthy one is the same reference', () => {
    const history = [question, call('a'), result('a')]
    expect(convert(history, { to: 'openai-chat' })).toBe(history)
    const broken = [question, call('a')]
    expect(convert(broken, { to: 'openai-chat' })).toEqual(heal(broken))
  })

  test('[V6] an empty history is an empty history', () => {
    expect(convert([], { to: 'anthropic' })).toEqual([])
  })

  test('[V6] an unknown format, and a value that is not a history, are one clear line', () => {
    expect(() => convert([question], { to: 'cobol' as CodecId })).toThrow('unknown format "cobol"')
    expect(() => convert(7 as unknown as unknown[], { to: 'anthropic' })).toThrow('not a history that can be converted')
    expect(() => convert([question], { to: 'anthropic', for: 'nobody' as DialectId })).toThrow(
      'unknown dialect "nobody"',
    )
  })

  test('[V6] the input is not changed', () => {
    const before = JSON.stringify(pictured)
    convert(pictured, { to: 'openai-responses' })
    expect(JSON.stringify(pictured)).toBe(before)
  })
})
