import { callKindsWithoutText } from '../conversation.ts'
import { equal } from '../json/equal.ts'
import { isPlaceholder } from '../placeholder.ts'
import {
  assignResult,
  type CallQueue,
  type CallStep,
  firstOpen,
  isOpen,
  mayBeOfTool,
  type PairedCall,
  type PairedResult,
  queueBy,
  removeReassigned,
} from './paired-calls.ts'

/** A result that may answer a call of the step before it, although its id does not match. */
export interface UnpairedResult {
  readonly result: PairedResult
  readonly step: CallStep
  /** No user or system message is between the step and the result. */
  readonly followsStep: boolean
}

/**
 * Pairs results whose id does not identify a call. A result without an id pairs within the step before it: by name, or
 * by order where names are equal or missing, and never with a call of another name. A result is foreign if no
 * call has its id, or if the call with its id already has another result. It pairs in the same way, but only with a call
 * whose id is missing or shared with another call of the step. What is left directly after the step pairs by position
 * and count (`pairByCount`). With `idless`, every foreign result is treated as one without an id.
 */
export function pairByPosition(unpaired: readonly UnpairedResult[], idless: boolean): void {
  const steps = new Map<CallStep, UnpairedOfStep>()
  const reassignedFrom = new Set<PairedCall>()
  for (const { result, step, followsStep } of unpaired) {
    const { part, call } = result
    const isOwn = call?.step === step
    if (call) {
      // In formats with optional ids the position decides for a second result, whatever its content.
      const mayMove = idless && !isOwn ? followsStep && call.results[0] !== result : differsFromFirst(result, call)
      if (!mayMove || (isOwn && !isRealResult(result, call))) continue
      reassignedFrom.add(call)
    }
    const ends: UnpairedOfStep = steps.get(step) ?? { withoutId: [], foreign: new Map(), adjacent: [], extras: [] }
    steps.set(step, ends)
    if (isOwn) {
      ends.extras.push(result)
      continue
    }
    if (followsStep) ends.adjacent.push(result)
    if (part.id === '' || idless) ends.withoutId.push([result])
    else if (part.name || followsStep) add(ends.foreign, JSON.stringify([part.id, part.name || '']), result)
  }
  for (const [step, ends] of steps) {
    pairSimilarIds(step, ends)
    pairByNameAndOrder(step, ends)
    pairByCount(step, ends)
  }
  for (const call of reassignedFrom) removeReassigned(call)
}

/** Whether its call has an earlier real result with different content. */
const differsFromFirst = ({ part }: PairedResult, { results: [first] }: PairedCall): boolean =>
  first !== undefined && !isPlaceholder(first.part) && !equal(first.part.content, part.content)

/** Whether it is neither a retry after an error nor a placeholder. */
const isRealResult = ({ part }: PairedResult, { results: [first] }: PairedCall): boolean =>
  !isPlaceholder(part) && !(first?.part.error && !part.error)

/** Results that answer the same call, at least one. */
type ResultGroup = [PairedResult, ...PairedResult[]]

/** The unpaired results of a step: those without an id, and foreign ones grouped by id and name. */
interface UnpairedOfStep {
  readonly withoutId: ResultGroup[]
  readonly foreign: Map<string, ResultGroup>
  /** Results directly after the step: foreign ones, those without an id, and second results of earlier steps. */
  readonly adjacent: PairedResult[]
  /** Second results of calls of the step itself. */
  readonly extras: PairedResult[]
}

/** A foreign result answers an open call whose id differs only in spelling, is cut off, or has another prefix. */
function pairSimilarIds({ calls }: CallStep, { foreign }: UnpairedOfStep): void {
  const byNormalizedId = queueBy(calls.filter(isOpen), ({ part }) => normalizeId(part.id))
  pairUniqueMatches(foreign, ({ part }) => byNormalizedId.get(normalizeId(part.id))?.all ?? [])
  const open = calls.filter(isOpen)
  if (open.length * foreign.size > comparisonsMax) return
  pairUniqueMatches(foreign, ({ part }) => open.filter(call => areSimilar(call.part.id, part.id)))
}

/** Pairs each foreign result that matches exactly one call, if no other foreign result matches that call. */
function pairUniqueMatches(
  foreign: Map<string, ResultGroup>,
  matchesOf: (result: PairedResult) => readonly PairedCall[],
): void {
  const reached = new Map<PairedCall, string | undefined>()
  for (const [key, [result]] of foreign) {
    if (result.call) continue
    const [match, another] = matchesOf(result)
    if (match && !another && fits(result, match)) reached.set(match, reached.has(match) ? undefined : key)
  }
  for (const [call, key = ''] of reached) {
    assignAll(foreign.get(key) ?? [], call)
    foreign.delete(key)
  }
}

/** More comparisons in one step would make pairing quadratic. */
const comparisonsMax = 4096

/** An id without case and punctuation, which gateways change. */
const normalizeId = (id: string): string => id.replace(/[^a-z0-9]/gi, '').toLowerCase()

/** Whether one id is the beginning or the end of the other, ignoring prefixes such as `call_`. */
function areSimilar(one: string, other: string): boolean {
  const a = normalizeId(withoutPrefix(one))
  const b = normalizeId(withoutPrefix(other))
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= 6 && (long.startsWith(short) || long.endsWith(short))
}

const withoutPrefix = (id: string): string => id.replace(/^[a-z]+[_-]/i, '')

function pairByNameAndOrder({ calls }: CallStep, { withoutId, foreign }: UnpairedOfStep): void {
  const sameId = queueBy(calls, ({ part }) => part.id)
  const openUncertain = (): PairedCall[] =>
    calls.filter(call => isOpen(call) && (call.part.id === '' || sameId.get(call.part.id)?.all.length !== 1))

  const unnamed: ResultGroup[] = []
  const uncertainNames = queueBy(openUncertain(), ({ part }) => part.name)
  for (const alike of foreign.values()) {
    const { name } = alike[0].part
    if (name) assignAll(alike, firstOpen(uncertainNames.get(name)))
    else unnamed.push(alike)
  }

  const uncertain = openUncertain()
  const all = [...unnamed, ...withoutId]
  if (pairInOrder(all, uncertain, mayBeOfTool)) return
  const open = calls.filter(isOpen)
  if (unnamed.length === uncertain.length && all.length <= open.length)
    for (const [at, alike] of unnamed.entries()) assignAll(alike, uncertain[at])
  const names = queueBy(open, ({ part }) => part.name)
  const any: CallQueue = { all: open, next: 0 }
  for (const alike of withoutId) {
    const { name } = alike[0].part
    assignAll(alike, firstOpen(name ? names.get(name) : any))
  }
}

/**
 * Pairs what is left directly after a step by count: as many results as calls, in order. Second results of a call count
 * with the first. Real results are preferred to placeholders.
 */
function pairByCount(step: CallStep, { adjacent, extras }: UnpairedOfStep): void {
  const { calls } = step
  const foreign = adjacent.filter(({ call }) => call?.step !== step)
  if ((foreign.length === 0 && extras.length === 0) || !calls.some(isOpen)) return
  const real = foreign.filter(({ part }) => !isPlaceholder(part))
  const callsWithExtras = new Set(extras.map(({ call }) => call))
  const wanted = calls.filter(call => isOpen(call) || callsWithExtras.has(call))
  const firsts = wanted.flatMap(({ results }) => results.slice(0, 1))
  if (pairInOrder([...firsts, ...extras, ...real].map(groupOfOne), wanted)) return
  const named = groupBy([...extras, ...real], ({ part, call }) => part.name || call?.part.name || '')
  const open = queueBy(calls.filter(isOpen), ({ part }) => part.name)
  for (const [name, results] of named) pairInOrder(results.map(groupOfOne), open.get(name)?.all ?? [])
  const left = real.filter(({ call }) => call?.step !== step)
  const alike = [...groupBy(left, ({ part }) => part.id).values()]
  for (const groups of [left.map(groupOfOne), alike, foreign.map(groupOfOne)])
    if (pairInOrder(groups, calls.filter(isOpen))) return
}

function groupBy(results: readonly PairedResult[], keyOf: (result: PairedResult) => string): Map<string, ResultGroup> {
  const groups = new Map<string, ResultGroup>()
  for (const result of results) add(groups, keyOf(result), result)
  return groups
}

function add(groups: Map<string, ResultGroup>, key: string, result: PairedResult): void {
  const alike = groups.get(key)
  if (alike) alike.push(result)
  else groups.set(key, [result])
}

const groupOfOne = (result: PairedResult): ResultGroup => [result]

/** Pairs results with calls in order, if there are as many of each and each matches its call. */
function pairInOrder(results: ResultGroup[], calls: readonly PairedCall[], matches = fits): boolean {
  results.sort(comparePositions)
  const matchesAt = ([result]: ResultGroup, at: number): boolean => {
    const call = calls[at]
    return call !== undefined && matches(result, call)
  }
  if (results.length !== calls.length || !results.every(matchesAt)) return false
  for (const [at, alike] of results.entries()) assignAll(alike, calls[at])
  return true
}

/** Whether the name and the id of a result do not point to another tool, and the kind of call fits the result. */
const fits = (result: PairedResult, call: PairedCall): boolean =>
  mayBeOfTool(result, call) &&
  (!result.call || result.call.part.name === call.part.name) &&
  (result.part.callKind === call.part.callKind ||
    !(callKindsWithoutText.has(result.part.callKind) || callKindsWithoutText.has(call.part.callKind)))

const comparePositions = ([a]: ResultGroup, [b]: ResultGroup): number => a.position - b.position || a.slot - b.slot

function assignAll(results: readonly PairedResult[], call: PairedCall | undefined): void {
  if (call) for (const result of results) if (result.call !== call) assignResult(result, call)
}
