import type { measureJournal } from './journal/measure.ts'
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

/** What is asked of the push alone: reading the history makes an array of it. */
export const pushTargets = (rows: PushRow[]): Target[] =>
  rows
    .filter(({ what }) => !what.includes('read'))
    .map(({ what, relative }) => {
      const { messages = 0, ratio = Number.NaN } = relative.at(-1) ?? {}
      return atMost(`push: ${what}, behind ${messages.toLocaleString('en')} messages`, ratio, alikeBeyondCaches)
    })

const by0009 = (limit: number) => ({ limit, decision: '0009' })

type Journal = Awaited<ReturnType<typeof measureJournal>>

export function journalTargets({ sqlite, postgres, turns, operations, crowd }: Journal): Target[] {
  const transition = (what: string, most: number, rows: { what: string; best: number }[] = []): Target[] => {
    const control = rows.find(row => row.what === 'again')?.best ?? 1
    const isTooNoisy = Math.abs(control - 1) > 0.15
    return rows
      .filter(row => row.what === 'store')
      .map(({ best }) => ({ ...atMost(what, best, 1.3), accepted: by0009(most), isTooNoisy }))
  }
  const flat = turns.filter(({ subject }) => subject.includes('durability'))
  const stored = turns.flatMap(({ subject, disk }) => (subject === 'antiphon' && disk !== undefined ? [disk] : []))
  return [
    ...transition('journal: a transition in SQLite', 1.5, sqlite.full),
    ...transition('journal: a transition in PostgreSQL', 1.7, postgres?.rows),
    ...flat.map(({ turns: many, growth }) => ({
      ...atMost(`journal: turn ${many + 1} against turn 2, with its messages read`, growth, 1.1),
      accepted: by0009(2.5),
    })),
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

export const proxyTargets = (rows: LoadRow[]): Target[] =>
  rows.map(({ bytes, best }) => {
    const least = bytes > 2 ** 21 ? 0.4 : bytes > 2 ** 16 ? 0.5 : 0.9
    const target = atLeast(`proxy: bodies of ${(bytes / 1024).toFixed(0)} KB`, best, least)
    return least === 0.9 ? { ...target, accepted: { limit: 0.8, decision: '0011' } } : target
  })

export const startTargets = (rows: StartRow[]): Target[] =>
  rows.map(({ what, ratio, limit }) => atMost(`start: ${what}`, ratio, limit))

export const viewerTargets = (rows: FirstPaintRow[]): Target[] =>
  rows.slice(1).map(({ messages, best }) => atMost(`viewer: ${messages.toLocaleString('en')} messages`, best, 2))
