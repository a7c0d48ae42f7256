import { cases } from './cases.ts'
import { dim, section } from './section.ts'
import { figure, table } from './table.ts'
import type { CodecRow } from './tasks/codec.ts'
import type { Comparison, Speed } from './tasks/compare.ts'
import type { HealRow } from './tasks/heal.ts'
import type { LoadRow } from './tasks/proxy/load.ts'
import type { PushRow } from './tasks/push.ts'
import type { Cost, ScaleRow } from './tasks/scale.ts'
import type { StartRow } from './tasks/start.ts'
import { atMost } from './verdict.ts'

export function reportHeal(rows: HealRow[]): string {
  const lines = rows.map(({ history, ratio }) =>
    history === 'healthy' ? [history, ...atMost(ratio, 0.1, ', aim 0.05')] : [history, ...atMost(ratio, 0.4)],
  )
  return section(
    'heal, for openai: 10,000 messages of about 1 KiB, two calls a step',
    'as a multiple of JSON.parse of the same bytes',
    table([['history', 'ratio', 'target', ''], ...lines]),
  )
}

export function reportCodecs(rows: CodecRow[]): string {
  const lines = rows.map(({ codec, healthy, broken, trimmed, trimmedByTokens, into, outOf }) => [
    codec,
    ...[healthy, broken, trimmed, trimmedByTokens].map(figure),
    ...[into, outOf].map(ratio => (ratio === undefined ? '-' : figure(ratio))),
  ])
  return section(
    'every codec, for its own reader: the same 10,000 messages of about 1 KiB',
    [
      'as a multiple of JSON.parse of the same bytes: heal of a healthy history and of one with every fault in 1% of the messages; trim to half',
      'of the messages, and of the tokens; convert from openai-chat into it, and back',
    ].join('\n'),
    table([['codec', 'healthy', 'broken', 'trim', 'by tokens', 'into', 'back'], ...lines]),
  )
}

/** The figures of the proxy without its rates, which say something of the machine only. */
export function reportProxy(rows: LoadRow[]): string {
  const lines = rows.map(({ bytes, kind, best, median, control, cpu, memory }) => [
    `${(bytes / 1024).toFixed(0)} KB, ${kind}`,
    ...[best, median, control, cpu, memory].map(figure),
  ])
  return section(
    'proxy, healthy requests, 64 connections on one machine',
    [
      'each request the first of its conversation, or a later one, with a turn more than the one before;',
      'requests a second as a part of those of a plain pass-through on the same HTTP stack, best and median: higher is better; the same pass-through once more;',
      'the time of processors a request took there as a part of what it took in the proxy; memory at the end as a multiple of that after half of the rounds',
    ].join('\n'),
    table([['body', 'rate', 'median', 'control', 'processor', 'memory'], ...lines]),
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

export const reportStart = (rows: StartRow[]): string =>
  section(
    'starting a process',
    'until it ends, as a multiple of a Node that does nothing',
    table([['', 'ratio', 'target', ''], ...rows.map(({ what, ratio, limit }) => [what, ...atMost(ratio, limit)])]),
  )

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
    'no: still malformed. throws: refuses the history. A dash: its shape cannot say it.',
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
  const broken = cases.filter(({ name }) => name !== 'healthy' && verdicts[name] !== undefined)
  return `${broken.filter(({ name }) => verdicts[name]?.verdict === 'ok').length}/${broken.length}`
}
