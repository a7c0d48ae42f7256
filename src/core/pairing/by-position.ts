import { wordlessSorts } from '../conversation.ts'
import { equal } from '../json/equal.ts'
import { isPlaceholder } from '../placeholder.ts'
import {
  attach,
  type Call,
  firstOpen,
  isOfTool,
  isOpen,
  keepOwn,
  type Queue,
  queuesOf,
  type Result,
  type Step,
} from './pairs.ts'

/** A result that may belong to the step before it, though its id does not say so. */
export interface Loose {
  readonly result: Result
  readonly step: Step
  /** Only the assistant has spoken in between. */
  readonly isSeated: boolean
}

/**
 * Results without an id pair within the step before them: by name, by order where names are equal or missing, and
 * never with another name. A stranger, whose id no call has or whose call has another result, pairs so with a call whose id
 * is lost or is also the id of a call beside it. What is left directly after the step pairs by place and count (`seatRest`).
 * Where ids are only a help (`idless`), an id that no call has counts as none.
 */
export function pairLoose(loose: readonly Loose[], idless: boolean): void {
  const steps = new Map<Step, LooseEnds>()
  const former = new Set<Call>()
  for (const { result, step, isSeated } of loose) {
    const { part, call } = result
    const isOwn = call?.step === step
    if (call) {
      // Where ids are only a help, the place counts for a second result, whatever it says.
      const isFree = idless && !isOwn ? isSeated && call.results[0] !== result : isSpare(result, call)
      if (!isFree || (isOwn && !isAnother(result, call))) continue
      former.add(call)
    }
    const ends: LooseEnds = steps.get(step) ?? { bare: [], strangers: new Map(), rest: [], spares: [] }
    steps.set(step, ends)
    if (isOwn) {
      ends.spares.push(result)
      continue
    }
    if (isSeated) ends.rest.push(result)
    if (part.id === '' || idless) ends.bare.push([result])
    else if (part.name || isSeated) add(ends.strangers, JSON.stringify([part.id, part.name || '']), result)
  }
  for (const [step, ends] of steps) {
    pairResembling(step, ends)
    seat(step, ends)
    seatRest(step, ends)
  }
  for (const call of former) keepOwn(call)
}

/** Whether its call has a real result before it that says something else. */
const isSpare = ({ part }: Result, { results: [first] }: Call): boolean =>
  !isPlaceholder(first.part) && !equal(first.part.content, part.content)

/** Whether it is not a second try after an error, nor a placeholder. */
const isAnother = ({ part }: Result, { results: [first] }: Call): boolean =>
  !isPlaceholder(part) && !(first.part.error && !part.error)

/** Results that name one and the same call, whichever it is. */
type Alike = Result[]

/** The loose results of a step: those without an id, and strangers by what they say of their call. */
interface LooseEnds {
  readonly bare: Alike[]
  readonly strangers: Map<string, Alike>
  /** Strangers, with an id or without, and second results of earlier steps, directly after the step. */
  readonly rest: Result[]
  /** Second results of the step's own calls. */
  readonly spares: Result[]
}

/** A stranger whose id is that of one open call, but in another spelling, cut, or with another prefix, answers it. */
function pairResembling({ calls }: Step, { strangers }: LooseEnds): void {
  const spelled = queuesOf(calls.filter(isOpen), ({ part }) => spelling(part.id))
  pairLike(strangers, ({ part }) => spelled.get(spelling(part.id))?.all ?? [])
  const open = calls.filter(isOpen)
  if (open.length * strangers.size > comparisonsMax) return
  pairLike(strangers, ({ part }) => open.filter(call => resemble(call.part.id, part.id)))
}

/** Pairs strangers that are like one call each, if no other stranger is like it. */
function pairLike(strangers: Map<string, Alike>, callsLike: (result: Result) => readonly Call[]): void {
  const reached = new Map<Call, string | undefined>()
  for (const [key, [result]] of strangers) {
    const like = result.call ? [] : callsLike(result)
    if (like.length === 1 && fits(result, like[0])) reached.set(like[0], reached.has(like[0]) ? undefined : key)
  }
  for (const [call, key = ''] of reached) {
    attachAll(strangers.get(key) ?? [], call)
    strangers.delete(key)
  }
}

/** More comparisons in one step would not be linear in its length. */
const comparisonsMax = 4096

/** An id without case and punctuation, which gateways change. */
const spelling = (id: string): string => id.replace(/[^a-z0-9]/gi, '').toLowerCase()

/** Whether one id is part of the other, at its beginning or its end, without prefixes such as `call_`. */
function resemble(one: string, other: string): boolean {
  const [a, b] = [one, other].map(id => spelling(id.replace(/^[a-z]+[_-]/i, '')))
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= 6 && (long.startsWith(short) || long.endsWith(short))
}

function seat({ calls }: Step, { bare, strangers }: LooseEnds): void {
  const sameId = queuesOf(calls, ({ part }) => part.id)
  const openUncertain = (): Call[] =>
    calls.filter(call => isOpen(call) && (call.part.id === '' || sameId.get(call.part.id)?.all.length !== 1))

  const unnamed: Alike[] = []
  const uncertainNames = queuesOf(openUncertain(), ({ part }) => part.name)
  for (const alike of strangers.values()) {
    const { name } = alike[0].part
    if (name) attachAll(alike, firstOpen(uncertainNames.get(name)))
    else unnamed.push(alike)
  }

  const uncertain = openUncertain()
  const all = [...unnamed, ...bare].sort(byPlace)
  if (all.length === uncertain.length && all.every(([result], at) => isOfTool(result, uncertain[at]))) {
    for (const [at, alike] of all.entries()) attachAll(alike, uncertain[at])
    return
  }
  const open = calls.filter(isOpen)
  if (unnamed.length === uncertain.length && all.length <= open.length)
    for (const [at, alike] of unnamed.entries()) attachAll(alike, uncertain[at])
  const names = queuesOf(open, ({ part }) => part.name)
  const any: Queue = { all: open, next: 0 }
  for (const alike of bare) {
    const { name } = alike[0].part
    attachAll(alike, firstOpen(name ? names.get(name) : any))
  }
}

/**
 * What is left directly after a step pairs by count: as many results as calls, in their order; second results of a call
 * count with the first. Real results come before placeholders.
 */
function seatRest(step: Step, { rest, spares }: LooseEnds): void {
  const { calls } = step
  const strangers = rest.filter(({ call }) => call?.step !== step)
  if ((strangers.length === 0 && spares.length === 0) || !calls.some(isOpen)) return
  const real = strangers.filter(({ part }) => !isPlaceholder(part))
  const doubled = new Set(spares.map(({ call }) => call))
  const wanted = calls.filter(call => isOpen(call) || doubled.has(call))
  const firsts = wanted.flatMap(({ results }) => results.slice(0, 1))
  if (pairInOrder([...firsts, ...spares, ...real].map(alone), wanted)) return
  const named = alikeBy([...spares, ...real], ({ part, call }) => part.name || call?.part.name || '')
  const open = queuesOf(calls.filter(isOpen), ({ part }) => part.name)
  for (const [name, results] of named) pairInOrder(results.map(alone), open.get(name)?.all ?? [])
  const left = real.filter(({ call }) => call?.step !== step)
  const alike = [...alikeBy(left, ({ part }) => part.id).values()]
  for (const groups of [left.map(alone), alike, strangers.map(alone)])
    if (pairInOrder(groups, calls.filter(isOpen))) return
}

function alikeBy(results: readonly Result[], keyOf: (result: Result) => string): Map<string, Alike> {
  const groups = new Map<string, Alike>()
  for (const result of results) add(groups, keyOf(result), result)
  return groups
}

function add(groups: Map<string, Alike>, key: string, result: Result): void {
  const alike = groups.get(key)
  if (alike) alike.push(result)
  else groups.set(key, [result])
}

const alone = (result: Result): Alike => [result]

/** Pairs as many results as calls, if each fits its call. */
function pairInOrder(results: Alike[], calls: readonly Call[]): boolean {
  results.sort(byPlace)
  if (results.length !== calls.length || !results.every(([result], at) => fits(result, calls[at]))) return false
  for (const [at, alike] of results.entries()) attachAll(alike, calls[at])
  return true
}

/** Whether neither the name nor the id of a result is that of another tool, and it is not of a sort that the call cannot take. */
const fits = (result: Result, call: Call): boolean =>
  isOfTool(result, call) &&
  (!result.call || result.call.part.name === call.part.name) &&
  (result.part.sort === call.part.sort || !(wordlessSorts.has(result.part.sort) || wordlessSorts.has(call.part.sort)))

const byPlace = ([a]: Alike, [b]: Alike): number => a.position - b.position || a.slot - b.slot

function attachAll(results: Alike, call: Call | undefined): void {
  if (call) for (const result of results) if (result.call !== call) attach(result, call)
}
