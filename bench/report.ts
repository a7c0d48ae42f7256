import { cases } from './cases.ts'
import { dim, section } from './section.ts'
import { figure, table } from './table.ts'
import type { Comparison, Speed } from './tasks/compare.ts'
import type { HealRow } from './tasks/heal.ts'
import type { PushRow } from './tasks/push.ts'
import type { Cost, ScaleRow } from './tasks/scale.ts'
import { atMost } from './verdict.ts'

export function reportHeal(rows: HealRow[]): string {
  const lines = rows.map(({ history, ratio }) =>
    history === 'healthy' ? [history, ...atMost(ratio, 0.1, ', aim 0.05')] : [history, ...atMost(ratio, 0.4)],
  )
  return section(
    'heal, for openai: 10,000 messages of about 1 KiB, two calls a step',
    `as a multiple of JSON.parse of the same bytes (${rows[0]?.parseMs.toFixed(0)} ms here)`,
    table([['history', 'ratio', 'target', ''], ...lines]),
  )
}

export function reportScale(rows: ScaleRow[]): string {
  const base = rows.find(row => row.messages === 10_000) ?? rows[0]
  const perMessage = (cost: Cost, of: Cost | undefined) => figure(cost.nsPerMessage / (of ?? cost).nsPerMessage)
  const lines = rows.map(({ messages, healthy, broken }) => [
    messages.toLocaleString('en'),
    figure(healthy.ratio),
    figure(broken.ratio),
    perMessage(healthy, base?.healthy),
    perMessage(broken, base?.broken),
  ])
  return section(
    'heal, as the history grows: messages of about 200 bytes',
    `as a multiple of JSON.parse of the same bytes; and the cost of one message, relative to ${base?.messages.toLocaleString('en')}`,
    table([['messages', 'healthy', 'broken', 'a healthy message', 'a broken one'], ...lines]),
  )
}

export function reportPush(rows: PushRow[]): string {
  const lengths = rows[0]?.relative.map(({ messages }) => messages.toLocaleString('en')) ?? []
  return section(
    "a healer's push of one message, as the history grows",
    'relative to the shortest history',
    table([
      ['messages before', ...lengths],
      ...rows.map(({ what, relative }) => [what, ...relative.map(({ ratio }) => figure(ratio))]),
    ]),
  )
}

export function reportComparisons(comparisons: Comparison[], versions: Record<string, string>): string {
  const names = comparisons.map(({ subject }) => subject)
  const columns =
    comparisons[0]?.speeds.map(({ history, messages }) => `${history} ${messages.toLocaleString('en')}`) ?? []
  const costs = table([
    ['', ...columns],
    ...comparisons.map(({ subject, via, speeds }) => [`${subject}: ${via}`, ...speeds.map(cell)]),
  ])
  const verdicts = table([
    ['history', ...names],
    ...cases.map(({ name }) => [name, ...comparisons.map(({ verdicts }) => verdicts[name]?.verdict ?? '-')]),
    ['healed with nothing lost', ...comparisons.map(score)],
  ])
  const installed = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const legend = [
    'ok: every word kept. drop: valid, but a call is gone. lost: valid, but a real result or a text is gone.',
    'no: still malformed. throws: refuses the history.',
  ]
  return [
    section(
      'the peers: messages of about 1 KiB',
      'as a multiple of JSON.parse of the same bytes; beside the broken ones what came out',
      costs,
    ),
    section('the peers: what they make of small histories', legend.join('\n'), verdicts, dim(installed.join(' · '))),
  ].join('\n')
}

function cell({ history, ratio, outcome }: Speed): string {
  if (outcome?.verdict === 'throws') return 'throws'
  if (ratio === undefined) return 'too slow'
  return history === 'healthy' && outcome?.verdict === 'ok' ? figure(ratio) : `${figure(ratio)} ${outcome?.verdict}`
}

function score({ verdicts }: Comparison): string {
  const broken = cases.filter(({ name }) => name !== 'healthy')
  return `${broken.filter(({ name }) => verdicts[name]?.verdict === 'ok').length}/${broken.length}`
}
