import type { measureJournal } from './journal/measure.ts'
import type { CodecRow } from './tasks/codec.ts'
import type { HealRow } from './tasks/heal.ts'
import type { LoadRow } from './tasks/proxy/load.ts'
import type { PushRow } from './tasks/push.ts'
import type { ScaleRow } from './tasks/scale.ts'
import type { StartRow } from './tasks/start.ts'
import type { FirstPaintRow } from './tasks/viewer/first-paint.ts'

/** A figure that something is asked of. */
export interface Target {
  what: string
  ratio: number
  /** `at most` or `at least` this much. */
  bound: 'at most' | 'at least'
  limit: number
  /** What it may come to all the same, by a decision that shows why it cannot be met. */
  accepted?: { limit: number; decision: string }
  /** The baseline did not agree with itself, so nothing can be said. */
  isTooNoisy?: boolean
}

/** What differs more from itself in the same run says nothing. */
export const noiseMax = 0.15

export type Verdict = 'met' | 'accepted' | 'missed' | 'too noisy'

export function judge({ ratio, bound, limit, accepted, isTooNoisy }: Target): Verdict {
  const isWithin = (bar: number) => (bound === 'at most' ? ratio <= bar : ratio >= bar)
  if (isTooNoisy === true) return 'too noisy'
  if (isWithin(limit)) return 'met'
  return accepted && isWithin(accepted.limit) ? 'accepted' : 'missed'
}

const atMost = (what: string, ratio: number, limit: number): Target => ({ what, ratio, bound: 'at most', limit })
const atLeast = (what: string, ratio: number, limit: number): Target => ({ what, ratio, bound: 'at least', limit })

/** What is to cost the same, however long the history: the rest is caches and noise. */
const alike = 1.5

/** A thousand times the history: its table of ids no longer fits any cache, and a push looks into it a few times. */
const alikeBeyondCaches = 3

export const healTargets = (rows: HealRow[]): Target[] =>
  rows.map(({ history, ratio }) => atMost(`heal: ${history}`, ratio, history === 'healthy' ? 0.1 : 0.4))

/** What each format may cost: a scan touches every message, and the rest decodes and writes them. */
export const codecTargets = (rows: CodecRow[]): Target[] =>
  rows.flatMap(({ codec, healthy, trimmedByTokens, into, outOf }) => [
    atMost(`codecs: ${codec}, healthy`, healthy, codec === 'openai-chat' ? 0.05 : 0.07),
    atMost(`codecs: ${codec}, trimmed by tokens`, trimmedByTokens, 0.5),
    ...(into === undefined ? [] : [atMost(`codecs: ${codec}, converted from openai-chat`, into, 1)]),
    ...(outOf === undefined ? [] : [atMost(`codecs: ${codec}, converted to openai-chat`, outOf, 1)]),
  ])

/** Linear is what grows as the reading of the bytes does. */
export function scaleTargets(rows: ScaleRow[]): Target[] {
  const base = rows.find(({ messages }) => messages === 10_000)
  const last = rows.at(-1)
  if (!base || !last || last === base) return []
  const what = `${last.messages.toLocaleString('en')} messages against 10,000, each of JSON.parse`
  return (['healthy', 'broken'] as const).map(kind =>
    atMost(`scale: ${kind}, ${what}`, last[kind].ratio / base[kind].ratio, alike),
  )
}

/** Nothing is asked of `history`: each read after a push makes an array of it. */
const isCopied = ({ what }: PushRow): boolean => what.includes('copy')

const longest = ({ what, relative }: PushRow): { label: string; value: number } => {
  const { messages = 0, ratio = Number.NaN } = relative.at(-1) ?? {}
  return { label: `${what}, behind ${messages.toLocaleString('en')} messages`, value: ratio }
}

export const pushTargets = (rows: PushRow[]): Target[] =>
  rows
    .filter(row => !isCopied(row))
    .map(longest)
    .map(({ label, value }) => atMost(`push: ${label}`, value, alikeBeyondCaches))

export const pushFigures = (rows: PushRow[]): { label: string; value: number }[] => rows.filter(isCopied).map(longest)

const by0009 = (limit: number) => ({ limit, decision: '0009' })

type Journal = Awaited<ReturnType<typeof measureJournal>>

/** How much the same bare SQL differs from itself. */
export const journalNoise = ({ sqlite, postgres }: Journal): number =>
  Math.max(0, ...[sqlite.full, postgres?.rows].map(rows => Math.abs(controlOf(rows) - 1)))

const controlOf = (rows: readonly { what: string; best: number }[] = []): number =>
  rows.find(row => row.what === 'again')?.best ?? 1

export function journalTargets({ sqlite, postgres, turns, growth, operations, crowd }: Journal): Target[] {
  const transition = (what: string, most: number, rows: { what: string; best: number }[] = []): Target[] => {
    const isTooNoisy = Math.abs(controlOf(rows) - 1) > noiseMax
    return rows
      .filter(row => row.what === 'store')
      .map(({ best }) => ({ ...atMost(what, best, 1.3), accepted: by0009(most), isTooNoisy }))
  }
  const flat = turns.filter(({ subject }) => subject.includes('durability'))
  const [frozen, copied] = [true, false].map(wanted =>
    flat.filter(({ subject }) => subject.includes('frozen') === wanted),
  )
  const long = (growth ?? []).slice(1)
  const stored = turns.flatMap(({ subject, disk }) => (subject === 'antiphon' && disk !== undefined ? [disk] : []))
  return [
    ...transition('journal: a transition in SQLite', 1.5, sqlite.full),
    ...transition('journal: a transition in PostgreSQL', 1.7, postgres?.rows),
    ...copied.map(({ turns: many, growth }) => ({
      ...atMost(`journal: turn ${many + 1} against turn 2, with its messages read`, growth, 1.1),
      accepted: by0009(2.5),
    })),
    ...frozen.map(({ turns: many, growth }) =>
      atMost(`journal: turn ${many + 1} against turn 2, with frozen messages read`, growth, 1.2),
    ),
    ...long.map(({ turns: many, frozen }) =>
      atMost(`journal: a turn after ${many.toLocaleString('en')}, with frozen messages read`, frozen, alike),
    ),
    ...stored.map(disk => atMost('journal: on disk, of what was said', disk, 2)),
    ...(postgres ? [atMost('journal: in PostgreSQL, of what was said', postgres.disk, 2)] : []),
    ...(operations ?? []).flatMap(({ what, best, most }) =>
      most === undefined ? [] : [atMost(`journal: ${what}`, best, most)],
    ),
    ...(crowd ?? []).slice(1).map(({ what, best }) => ({
      ...atLeast(`journal: 64 threads at once, ${what}`, best, 5),
      accepted: by0009(what.includes('turns') ? 3.3 : 4),
    })),
  ]
}

export const journalFigures = ({ growth }: Journal): { label: string; value: number }[] =>
  (growth ?? []).slice(1).flatMap(({ turns, blind, reading }) => [
    { label: `a turn after ${turns.toLocaleString('en')}, writes alone`, value: blind },
    { label: `a turn after ${turns.toLocaleString('en')}, with its messages read`, value: reading },
  ])

export const proxyTargets = (rows: LoadRow[]): Target[] =>
  rows.map(({ bytes, kind, best }) => {
    const [first, later] = bytes > 2 ** 21 ? [0.4, 0.75] : bytes > 2 ** 16 ? [0.5, 0.8] : [0.9, 0.9]
    const least = kind === 'later' ? later : first
    const target = atLeast(`proxy: bodies of ${(bytes / 1024).toFixed(0)} KB, ${kind} of a conversation`, best, least)
    return least === 0.9 ? { ...target, accepted: { limit: 0.8, decision: '0011' } } : target
  })

export const startTargets = (rows: StartRow[]): Target[] =>
  rows.map(({ what, ratio, limit }) => atMost(`start: ${what}`, ratio, limit))

export const viewerTargets = (rows: FirstPaintRow[]): Target[] =>
  rows.slice(1).map(({ messages, best }) => atMost(`viewer: ${messages.toLocaleString('en')} messages`, best, 2))
