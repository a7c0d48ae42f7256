import type { Finding } from './finding.ts'
import type { Item } from './item.ts'
import { madeItem, recordFor, removeMember, resultTypes, retire, setMember } from './item-text.ts'
import { append, Plan } from './plan.ts'
import type { Scan, Torn } from './scan.ts'
import { type Taken, takenText, takenTime } from './take.ts'

/** What is done about the findings, and which of them nothing can be done about. */
export interface Prescription {
  readonly plan: Plan
  readonly mended: readonly Finding[]
  /** They stay, and Codex cannot go on, or only by its own mending. */
  readonly left: readonly Finding[]
}

/** Torn records that have to go. */
export const harmful = (torn: readonly Torn[]): Torn[] => torn.filter(({ kind }) => kind !== 'text')

/** Where records may move: results come to stand behind their calls, and what is too much goes. */
export function prescribeFreely(scan: Scan, findings: readonly Finding[], taken: Taken): Prescription {
  const plan = new Plan()
  const names = namesIn(findings)
  const { header } = scan
  for (const { piece } of harmful(scan.torn)) plan.drops.add(piece)
  if (header && header.piece !== scan.firstRecord) plan.insert(-1, { piece: header.piece })
  const [mended, left] = parted(findings, isOwn)
  for (const finding of mended) {
    const { item } = finding
    if (finding.kind === 'taken-id' || finding.kind === 'lone') plan.edit(item, removeMember('id', false))
    else if (finding.kind === 'nameless') {
      for (const one of [item, ...finding.results]) plan.edit(one, setMember('call_id', finding.id))
    } else if (finding.kind === 'reused') rename(plan, finding)
    else if (finding.kind === 'mismatched') {
      plan.edit(item, setMember('type', resultTypes[finding.call.family as keyof typeof resultTypes]))
    } else if (finding.kind !== 'unanswered' && finding.kind !== 'misplaced') drop(plan, item)
  }
  for (const finding of seated(mended)) {
    const { item, seat } = finding
    if (finding.kind === 'misplaced') move(plan, item, finding.seat)
    else
      answer(plan, item, seat, madeItem(item.family ?? 'function', names.get(item) ?? item.callId ?? ''), scan, taken)
  }
  return { plan, mended, left }
}

/** Where nothing may move: results are added at the end, and what is too much is written over in its place. */
export function prescribeInPlace(scan: Scan, findings: readonly Finding[], taken: Taken): Prescription {
  const plan = new Plan()
  plan.renumber = scan.misnumbered
  for (const { piece, kind } of harmful(scan.torn)) (kind === 'tail' ? plan.drops : plan.blanks).add(piece)
  const names = shortNames(findings, scan, taken)
  const [mended, left] = parted(
    findings,
    finding => isOwn(finding) && finding.kind !== 'orphan' && isNamed(finding, names),
  )
  const copy = (result: Item, call: Item, id: string): string => {
    const type = resultTypes[call.family ?? 'function']
    const text = takenText(result, taken)
    return setMember('call_id', id)(setMember('type', type)(text))
  }
  for (const finding of mended) {
    const { item } = finding
    const id = names.get(item) ?? item.callId ?? ''
    if (finding.kind === 'repeated' || finding.kind === 'duplicate') plan.edit(item, retire)
    else if (finding.kind === 'taken-id' || finding.kind === 'lone') plan.edit(item, removeMember('id', true))
    else if (finding.kind === 'nameless') {
      plan.edit(item, setMember('call_id', id))
      const [result] = finding.answers.filter(({ piece }) => piece >= 0)
      if (result) plan.tail.push(recordFor(timeOf(item, scan, taken), copy(result, item, id)))
    } else if (finding.kind === 'reused') rename(plan, finding)
    else if (finding.kind === 'mismatched') {
      const text = copy(item, finding.call, names.get(finding.call) ?? finding.call.callId ?? '')
      plan.tail.push(recordFor(timeOf(item, scan, taken), text))
    } else if (finding.kind === 'unanswered') {
      plan.tail.push(recordFor(timeOf(item, scan, taken), madeItem(item.family ?? 'function', id)))
    }
  }
  const named = mended.map(finding =>
    finding.kind === 'nameless' ? { ...finding, id: names.get(finding.item) ?? finding.id } : finding,
  )
  return { plan, mended: named, left }
}

function rename(plan: Plan, { item, answers, id }: Extract<Finding, { kind: 'reused' }>): void {
  for (const one of [item, ...answers]) plan.edit(one, setMember('call_id', id))
}

/** The pieces whose text is needed to do something about findings, or to tell of them. */
export const neededFor = (findings: readonly Finding[]): number[] =>
  findings.flatMap(finding => {
    const others = finding.kind === 'nameless' || finding.kind === 'reused' ? finding.answers : []
    return [finding.item, ...others].map(({ piece }) => piece)
  })

/** An unanswered call may stand elsewhere: its result is written here. All else is mended where it stands. */
const isOwn = ({ kind, item }: Finding): boolean => kind === 'unanswered' || item.piece >= 0

const namesIn = (findings: readonly Finding[]): Map<Item, string> =>
  new Map(
    findings.flatMap(finding =>
      finding.kind === 'nameless' || finding.kind === 'reused' ? [[finding.item, finding.id] as const] : [],
    ),
  )

/** Ids as long as what stands in their place. */
function shortNames(findings: readonly Finding[], scan: Scan, taken: Taken): Map<Item, string> {
  const names = namesIn(findings.filter(({ kind }) => kind === 'reused'))
  const { items } = scan.history
  const used = new Set(Array.from({ length: items.length }, (_, at) => items.callId(at)))
  let number = 0
  for (const { kind, item } of findings) {
    if (kind !== 'nameless' || !hasNull(takenText(item, taken))) continue
    let id = ''
    do id = `${letters[Math.floor(number / letters.length)] ?? ''}${letters[number++ % letters.length]}`
    while (used.has(id))
    if (id.length === 2) names.set(item, id)
  }
  return names
}

const letters = 'abcdefghijklmnopqrstuvwxyz'

const hasNull = (item: string): boolean => setMember('call_id', 'aa')(item).length === item.length

const isNamed = (finding: Finding, names: ReadonlyMap<Item, string>): boolean => {
  const { kind, item } = finding
  if (kind === 'reused') return finding.id.length === item.callId?.length
  return (kind !== 'nameless' && (kind !== 'unanswered' || item.callId !== '')) || names.has(item)
}

function parted(findings: readonly Finding[], test: (finding: Finding) => boolean): [Finding[], Finding[]] {
  return [findings.filter(test), findings.filter(finding => !test(finding))]
}

/** What comes to stand somewhere, in the order of the calls. */
function seated(findings: readonly Finding[]): Extract<Finding, { kind: 'unanswered' | 'misplaced' }>[] {
  const coming = findings.filter(finding => finding.kind === 'unanswered' || finding.kind === 'misplaced')
  const callOf = (finding: (typeof coming)[number]): Item =>
    finding.kind === 'misplaced' ? finding.call : finding.item
  return coming.toSorted((a, b) => callOf(a).piece - callOf(b).piece || callOf(a).inner - callOf(b).inner)
}

export function drop(plan: Plan, { piece, inner }: Item): void {
  if (inner < 0) plan.drops.add(piece)
  else plan.list(piece).drops.add(inner)
}

function move(plan: Plan, { piece, inner }: Item, seat: Item): void {
  if (inner < 0) plan.insert(seat.piece, { piece })
  else {
    const list = plan.list(piece)
    list.drops.add(inner)
    append(list.after, seat.inner, inner)
  }
}

function answer(plan: Plan, call: Item, seat: Item | undefined, made: string, scan: Scan, taken: Taken): void {
  if (!seat || seat.piece < 0) plan.tail.push(recordFor(timeOf(call, scan, taken), made))
  else if (seat.inner < 0) plan.insert(seat.piece, { text: recordFor(timeOf(call, scan, taken), made) })
  else append(plan.list(seat.piece).after, seat.inner, made)
}

/** When a record was written; of one that stands elsewhere, when this rollout was. */
const timeOf = ({ piece }: Item, { header }: Scan, taken: Taken): string =>
  takenTime(piece, taken) ?? header?.timestamp ?? ''
