import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type CodecId, codecs } from '../../src/codecs/index.ts'
import { type DialectId, dialects } from '../../src/core/dialects/index.ts'
import { check, type Diagnostic, detect, type HealOptions, heal, type Repair, repair } from '../../src/index.ts'
import { isChosen, seedsOf, triesAll } from '../sample.ts'
import { arbitraryHistory, arbitraryJson } from './arbitrary-json.ts'
import { digestOfHealing } from './digest.ts'
import { history, validHistory } from './history.ts'
import { type LawId, laws } from './laws.ts'
import { Random } from './random.ts'
import { tryEditedScan, tryScan } from './scan-law.ts'
import { antiphon, type Healer, type Messages, Trial } from './trial.ts'
import { breach, codecIds, pairs, readersOf, smallest } from './try-laws.ts'

describe('every process', () => {
  test('[L6] another process heals to the same bytes, in whichever order', () => {
    const count = triesAll ? 500 : 200
    const script = join(import.meta.dirname, 'print-digest.ts')
    const env = { ...process.env, TZ: 'Asia/Kathmandu', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }
    const printed = execFileSync(process.execPath, [script, String(count)], { encoding: 'utf8', env })
    expect(printed.trim()).toBe(digestOfHealing(count, 'up'))
  })

  test.each(codecIds)('[L6] the order of keys in a message changes nothing but itself: %s', format => {
    expectNoSeed(seedsOf(300, 75), seed => {
      const options = { format, for: readersOf(format)[Math.floor(seed / 2) % readersOf(format).length] }
      const { messages } = history(format, seed)
      const turned = messages.map(turnKeys)
      return !isDeepStrictEqual(heal(messages, options), heal(turned, options))
    })
  })
})

describe('any JSON', () => {
  const values = (seed: number): unknown[] => {
    const random = new Random(seed)
    return [arbitraryJson(random), arbitraryHistory(random)]
  }

  const everyWay = (seed: number): HealOptions[] => {
    const { codec: format, dialect: reader } = pairs[seed % pairs.length]
    return [{}, { format }, { for: reader }, { format, for: reader }]
  }

  test('[L9] nothing throws, with a format and without', () => {
    expectNoSeed(seedsOf(2_000, 700), seed => {
      for (const value of values(seed)) {
        detect(value)
        for (const options of everyWay(seed)) {
          check(value, options)
          const { messages, changed } = repair(value, options)
          if ((heal(value, options) === value) === changed || (messages === value) === changed) return true
        }
      }
      return false
    })
  })

  test('[L9] what is not a history comes back as it is, and the report says so', () => {
    for (const value of [
      undefined,
      null,
      0,
      '',
      'hello',
      true,
      {},
      { role: 'user', content: 'hi' },
      [[]],
      ['a'],
      [{}],
    ]) {
      const { messages, changed, remaining } = repair(value)
      expect(messages).toBe(value)
      expect(changed).toBe(false)
      expect(remaining.map(({ rule }) => rule)).toEqual(['not-a-history'])
    }
  })
})

describe('a valid conversation', () => {
  const homeOf = (codec: CodecId) => codecs[codec].home as DialectId

  /** Ids that come again in a later turn are legal for most readers, but not for all. */
  const isHealthyFor = (codec: CodecId, reusedIds: boolean): boolean =>
    !reusedIds || dialects[homeOf(codec)].facts.uniqueIds === 'step'

  test.each(codecIds)('[L12] comes back as the same reference: %s', codec => {
    let healthy = 0
    const seeds = seedsOf(600, 200)
    expectNoSeed(seeds, seed => {
      const { messages, reusedIds } = validHistory(codec, seed)
      if (!isHealthyFor(codec, reusedIds)) return false
      healthy++
      const isSame = heal(messages, { format: codec, for: homeOf(codec) }) === messages
      return !isSame || detect(messages) !== codec || heal(messages) !== messages
    })
    expect(healthy).toBeGreaterThan(seeds.length * (2 / 3))
  })

  /** The scan of Responses leaves most sorts of items to the full check. */
  const leastPassed = (codec: CodecId): number => (codec === 'openai-responses' ? 0.075 : 0.75)

  test.each(codecIds)('[L10] a valid or nearly valid one that the scan passes has no diagnostic: %s', codec => {
    const seeds = seedsOf(400, 130)
    const { passed, failure } = tryScan(codec, seeds)
    expect(failure).toBeUndefined()
    expect(passed).toBeGreaterThan(leastPassed(codec) * seeds.length)
  })

  test.each(codecIds)('[L10] one that the scan passes after any one edit has no diagnostic: %s', codec => {
    const { passed, failure } = tryEditedScan(codec, nth => isChosen(nth, 4))
    expect(failure).toBeUndefined()
    expect(passed).toBeGreaterThan(triesAll ? 500 : 125)
  })
})

/** That a law holds says something only if it can be broken: here are healers that break one each. */
describe('a law', () => {
  const text = (role: string, content: string) => ({ role, content })
  const call = (id: string) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }],
  })
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'sunny' })
  const healthy = [text('user', 'hello'), call('A'), result('A'), text('assistant', 'it is sunny')]
  const broken = [...healthy, text('user', 'and now?'), call('B'), text('user', 'hello?')]

  const withRepair = (change: (before: Messages) => Partial<ReturnType<Healer['repair']>>): Healer => {
    const changed = ((messages: Messages, options: HealOptions) => ({
      ...antiphon.repair(messages, options),
      ...change(messages),
    })) as Healer['repair']
    return { ...antiphon, repair: changed }
  }

  const idler: Healer = withRepair(messages => ({ messages, changed: false, repairs: [], remaining: [] }))
  const copier: Healer = withRepair(messages => ({ messages: structuredClone(heal(messages, home)) }))
  const home: HealOptions = { format: 'openai-chat', for: 'openai' }

  const breaks: { id: LawId; title: string; messages: Messages; healer: Healer; says: string }[] = [
    {
      id: 'noErrorRemains',
      title: '[L1] notices an error that is left',
      messages: broken,
      healer: idler,
      says: 'unanswered-call is found again',
    },
    {
      id: 'twiceIsOnce',
      title: '[L2] notices a repair that never ends',
      messages: broken,
      healer: withRepair(before => ({ messages: [...before, text('user', '(continue)')], changed: true })),
      says: 'repaired again',
    },
    {
      id: 'healthyIsSame',
      title: '[L3] notices a healthy history that comes back as a copy',
      messages: healthy,
      healer: { ...antiphon, heal: (messages => [...(messages as Messages)]) as Healer['heal'] },
      says: 'a history without an error comes back as another',
    },
    {
      id: 'untouchedIsSame',
      title: '[L4] notices copies of untouched messages',
      messages: broken,
      healer: copier,
      says: 'no edit names a message that is not there any more',
    },
    {
      id: 'editsUndo',
      title: '[L5] notices an edit that is not in the report',
      messages: broken,
      healer: withRepair(messages => ({ messages: [...heal(messages, home), text('user', 'psst')] })),
      says: 'the edits do not make the result',
    },
    {
      id: 'stablePrefix',
      title: '[L7] notices a prefix that depends on the end',
      messages: [...broken, call('C'), result('C')],
      healer: withRepair(messages => ({
        messages: [text('user', `hello ${messages.length}`), ...heal(messages, home).slice(1)],
      })),
      says: 'unstable prefix',
    },
    {
      id: 'nothingLost',
      title: '[L8] notices a word that is gone',
      messages: broken,
      healer: withRepair(messages => ({ messages: heal(messages, home).slice(0, -1) })),
      says: 'lost below lossy: "hello?"',
    },
    {
      id: 'growsAlike',
      title: '[L14] notices a growing history that is healed otherwise',
      messages: broken,
      healer: { ...antiphon, createHealer: () => ({ push() {}, history: [], live: [] }) },
      says: 'heals otherwise',
    },
    {
      id: 'judgeAccepts',
      title: '[L11] notices what the provider would refuse',
      messages: broken,
      healer: idler,
      says: 'oc-missing-result',
    },
  ]

  test.each(breaks)('$title', ({ id, messages, healer, says }) => {
    const subject = { codec: 'openai-chat', dialect: 'openai', kind: 'corrupted', messages, cuts: [7] } as const
    expect(breach(id, new Trial(subject))).toBeUndefined()
    expect(breach(id, new Trial(subject, healer))).toContain(says)
    expect(smallest(id, subject, says, healer).length).toBeLessThanOrEqual(messages.length)
  })

  test('[L10] notices a diagnostic that the scan passes', () => {
    const missed = { rule: 'blank-text', at: 'messages[1]', message: 'no words' } as Diagnostic
    const trial = { isPassed: true, foundInFull: [missed] } as unknown as Trial
    expect(laws.scanIsRight.broken(trial)).toContain('blank-text is passed')
  })

  test('[L8] notices words that a repair drops and does not call lossy', () => {
    const dropping: Healer = withRepair(messages => ({
      repairs: antiphon.repair(messages, home).repairs.map((entry): Repair => ({ ...entry, class: 'lossless' })),
    }))
    const subject = { codec: 'openai-chat', dialect: 'openai', kind: 'corrupted', cuts: [] } as const
    const messages = [text('user', 'hello'), call('A'), result('A'), { ...result('A'), content: 'rainy' }]
    expect(breach('nothingLost', new Trial({ ...subject, messages }))).toBeUndefined()
    expect(breach('nothingLost', new Trial({ ...subject, messages }, dropping))).toContain('not in the report: "rainy"')
  })
})

/** The same message with its keys in the opposite order. */
function turnKeys(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return message
  return Object.fromEntries(Object.entries(message).reverse())
}

function expectNoSeed(seeds: readonly number[], fails: (seed: number) => boolean): void {
  const failing: number[] = []
  for (const seed of seeds) if (failing.length < 5 && fails(seed)) failing.push(seed)
  expect(failing, 'seeds that fail').toEqual([])
}
