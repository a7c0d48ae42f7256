import { describe, expect, test } from 'vitest'
import type { CodecId } from '../../src/codecs/index.ts'
import { countCalls } from '../../src/heal/count.ts'
import { AntiphonError, check, convert, heal, type TrimOptions, type TrimReport, trim } from '../../src/index.ts'
import { arbitraryHistory, arbitraryJson } from '../laws/arbitrary-json.ts'
import { history, codecs as known } from '../laws/history.ts'
import { Random } from '../laws/random.ts'
import { pairs } from '../laws/try-laws.ts'
import { judge } from '../oracle/judge.ts'
import { seedsOf } from '../sample.ts'

const formats: readonly CodecId[] = [
  ...(['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'bedrock'] as const),
  ...(['ai-sdk', 'ai-sdk-ui', 'langchain', 'ag-ui', 'ollama', 'pydantic-ai', 'gemini-interactions'] as const),
]

/** An agent at work: turns of several steps, each with a few calls whose results have any length. */
function work(random: Random, steps: number): unknown[] {
  const messages: unknown[] = [{ role: 'system', content: 'Be kind.' }]
  let calls = 0
  for (let step = 0; step < steps; step++) {
    if (step % 4 === 0) messages.push({ role: 'user', content: `Task ${step}.` })
    const ids = Array.from({ length: random.range(1, 3) }, () => `call_${++calls}`)
    const called = ids.map(id => ({ id, type: 'function', function: { name: 'look', arguments: `{"at":"${id}"}` } }))
    messages.push({ role: 'assistant', content: `Step ${step}.`, tool_calls: called })
    for (const id of ids)
      messages.push({
        role: 'tool',
        tool_call_id: id,
        content: `<${id}>${'word '.repeat(random.pick([1, 50, 400, 900]))}`,
      })
    if (step % 4 === 3) messages.push({ role: 'assistant', content: `Done ${step}.` })
  }
  return messages
}

/** The histories that requests are made with as the work goes on: whole steps. */
function growing(messages: readonly unknown[]): unknown[][] {
  const ends = messages.flatMap((message, index) => {
    const next = messages[index + 1] as { role?: string } | undefined
    return (message as { role: string }).role === 'tool' && next?.role !== 'tool' ? [index + 1] : []
  })
  return ends.map(end => messages.slice(0, end))
}

const bodiesIn = (messages: unknown): string[] => [
  ...new Set(JSON.stringify(messages).match(/<call_\d+>word word/g) ?? []),
]

const clearing = (format: CodecId, more: Partial<TrimOptions> = {}): TrimOptions => ({
  ...{ maxTokens: 15_000, results: 'clear', format },
  ...more,
})

describe.each(formats)('results of %s', format => {
  const chat = work(new Random(7), 40)
  const messages = convert(chat, { to: format }) as unknown[]

  test('[T10] the oldest are cleared until the limit holds, and every call and pair stays', () => {
    const reports: TrimReport[] = []
    const trimmed = trim(messages, clearing(format, { onTrim: report => reports.push(report) }))
    expect(JSON.stringify(trimmed).length / 4).toBeLessThan(15_000 * 1.02)
    expect(trimmed).toHaveLength(messages.length)
    expect(countCalls(trimmed, { format })).toEqual(countCalls(messages, { format }))
    expect(check(trimmed, { format }).filter(({ severity }) => severity === 'error')).toEqual([])
    const [all, left] = [bodiesIn(messages), bodiesIn(trimmed)]
    expect(left.length).toBeGreaterThanOrEqual(3)
    expect(left).toEqual(all.slice(-left.length))
    expect(JSON.stringify(trimmed)).toContain('[result cleared to save space: ')
    const [{ cleared, removed, size, prefixKept }] = reports
    expect([cleared > 0, removed, size <= 15_000]).toEqual([true, 0, true])
    const first = messages.findIndex((message, index) => message !== trimmed[index])
    const share = JSON.stringify(messages.slice(0, first)).length / JSON.stringify(messages).length
    expect(Math.abs(prefixKept - share)).toBeLessThan(0.01)
    expect(trim(trimmed, clearing(format))).toBe(trimmed)
  })

  test('[T11] the newest keep their content, also if the limit cannot hold', () => {
    for (const keepResults of [0, 1, 3, 10]) {
      const trimmed = trim(messages, clearing(format, { maxTokens: 1, keepResults }))
      const all = JSON.stringify(messages).match(/<call_\d+>/g) ?? []
      const kept = [...new Set(all)].slice(keepResults === 0 ? all.length : -keepResults)
      for (const body of kept) expect(JSON.stringify(trimmed)).toContain(body)
      expect(bodiesIn(trimmed).length).toBeLessThanOrEqual(Math.max(keepResults, 0))
      expect(countCalls(trimmed, { format })).toEqual(countCalls(messages, { format }))
      expect(trim(trimmed, clearing(format, { maxTokens: 1, keepResults }))).toBe(trimmed)
    }
  })

  test('[T12] between two clearings the beginning of a growing history stays the same, and clearings are rare', () => {
    let [before, clearings, requests] = [[] as unknown[], 0, 0]
    let clearedBefore = 0
    for (const part of growing(chat)) {
      let cleared = 0
      const onTrim = (report: TrimReport): void => {
        cleared = report.cleared
      }
      const now = trim(convert(part, { to: format }) as unknown[], clearing(format, { onTrim }))
      expect(cleared).toBeGreaterThanOrEqual(clearedBefore)
      // The last message may still have grown: some formats write several results, or a whole turn, into one.
      if (cleared === clearedBefore) expect(now.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1))
      else clearings++
      clearedBefore = cleared
      before = now
      requests++
    }
    expect(requests).toBe(40)
    expect(clearings).toBeGreaterThan(1)
    expect(clearings).toBeLessThan(requests / 3)
  })

  test('[T13] the same holds for a caller that continues with the trimmed history', () => {
    // Messages of other formats grow, so that the next ones cannot be appended to what was trimmed.
    const isAppended = ['openai-chat', 'openai-responses', 'ag-ui'].includes(format)
    let [kept, length, clearings] = [[] as unknown[], 0, 0]
    for (const part of isAppended ? growing(chat) : [chat]) {
      const whole = convert(part, { to: format }) as unknown[]
      let cleared = 0
      const onTrim = (report: TrimReport): void => {
        cleared = report.cleared
      }
      const now = trim([...kept, ...whole.slice(length)], clearing(format, { onTrim }))
      if (cleared > 0) clearings++
      else expect(now.slice(0, kept.length)).toEqual(kept)
      ;[kept, length] = [now, whole.length]
    }
    expect(clearings).toBeGreaterThan(0)
    expect(clearings).toBeLessThan(40 / 3)
    expect(countCalls(kept, { format })).toEqual(countCalls(messages, { format }))
  })
})

describe('clearing', () => {
  test.each(pairs.filter(({ codec }) => known.includes(codec as never)))(
    '[T10] any history of $codec for $dialect is valid afterwards',
    ({ codec, dialect }) => {
      for (const seed of seedsOf(10, 4)) {
        const { messages } = history(codec as never, seed + 1)
        const options = { for: dialect, format: codec, maxTokens: 60, results: 'clear', keepResults: 1 } as const
        const trimmed = trim(messages, options)
        const healed = heal(messages, { for: dialect, format: codec })
        expect(check(trimmed, { for: dialect, format: codec }).filter(({ severity }) => severity === 'error')).toEqual(
          [],
        )
        expect(countCalls(trimmed, { for: dialect, format: codec })).toEqual(
          countCalls(healed, { for: dialect, format: codec }),
        )
        expect(trim(trimmed, options)).toBe(trimmed)
        expect(judge(trimmed, codec, dialect), `seed ${seed}`).toEqual(judge(healed, codec, dialect))
      }
    },
  )

  test('[T8] no JSON value makes it throw', () => {
    for (let seed = 1; seed <= 150; seed++) {
      const random = new Random(seed)
      const value = random.chance(0.8) ? arbitraryHistory(random) : arbitraryJson(random)
      for (const format of [undefined, random.pick(formats)])
        trim(value, { maxTokens: 1, results: 'clear', keepResults: 0, ...(format && { format }) })
    }
  })

  test('[T14] each message is counted a few times, however long the history is', () => {
    for (const steps of [100, 400]) {
      const messages = work(new Random(3), steps)
      let counted = 0
      const count = (message: unknown): number => {
        counted++
        return JSON.stringify(message).length / 4
      }
      trim(messages, { maxTokens: 20_000, results: 'clear', count })
      expect(counted).toBeLessThan(4 * messages.length)
    }
  })

  test('[T15] wrong options are refused in one line', () => {
    const messages = work(new Random(1), 4)
    const wrong: [unknown, RegExp][] = [
      [{ maxTokens: 100, results: 'drop' }, /^unknown value of results: "drop"$/],
      [{ maxTokens: 100, keepResults: 2 }, /^keepResults is only used with results: "clear"$/],
      [{ maxMessages: 10, results: 'clear' }, /^results: "clear" needs maxTokens$/],
      [{ maxTokens: 100, results: 'clear', keepResults: -1 }, /^keepResults must be an integer of at least 0, got -1$/],
      [
        { maxTokens: 100, results: 'clear', keepResults: 1.5 },
        /^keepResults must be an integer of at least 0, got 1.5$/,
      ],
      [{ maxTokens: 0, results: 'clear' }, /^maxTokens must be a positive integer, got 0$/],
    ]
    for (const [options, message] of wrong) {
      const attempt = () => trim(messages, options as TrimOptions)
      expect(attempt).toThrow(message)
      expect(attempt).toThrow(AntiphonError)
    }
    const misused = { maxTokens: 100, keepResults: 2 }
    expect(() => trim(messages, misused)).toThrow(expect.objectContaining({ code: 'wrong-option' }))
  })

  test('[T16] what fits comes back as it is, and what does not says how much of its beginning is kept', () => {
    const messages = work(new Random(5), 12)
    expect(trim(messages, { maxTokens: 1_000_000, results: 'clear', onTrim: () => expect.unreachable() })).toBe(
      messages,
    )
    const reports: TrimReport[] = []
    const trimmed = trim(messages, { maxMessages: 6, onTrim: report => reports.push(report) })
    expect(reports).toEqual([
      { cleared: 0, removed: messages.length - trimmed.length, size: trimmed.length, prefixKept: 1 / messages.length },
    ])
  })
})
