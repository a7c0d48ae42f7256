import { equal } from './equal.ts'
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
import { isPlaceholder } from './placeholder.ts'

/** A result that may belong to the step in front of it, though its id does not say so. */
export interface Loose {
  readonly result: Result
  readonly step: Step
  /** Nobody but the assistant has spoken in between. */
  readonly isSeated: boolean
}

/**
 * Results without an id pair inside the step in front of them: by name, by order where names are equal or missing, and
 * never onto another name. A stranger, whose id nobody has or whose call has another result, pairs so only with a call whose id
 * is lost or stands on a call beside it: with one of the same name; without a name, if as many strangers follow before anybody
 * else speaks as it has such calls open. Where ids are no more than a help (`idless`), an id that nobody has is none.
 */
export function pairLoose(loose: readonly Loose[], idless: boolean): void {
  const steps = new Map<Step, LooseEnds>()
  const former = new Set<Call>()
  for (const { result, step, isSeated } of loose) {
    const { part, call } = result
    if (call && (idless || !isSpare(result, call))) continue
    if (call) former.add(call)
    const ends: LooseEnds = steps.get(step) ?? { bare: [], strangers: new Map() }
    steps.set(step, ends)
    if (part.id === '' || idless) ends.bare.push([result])
    else if (part.name || isSeated) {
      const key = JSON.stringify([part.id, part.name || ''])
      const alike = ends.strangers.get(key)
      if (alike) alike.push(result)
      else ends.strangers.set(key, [result])
    }
  }
  for (const [step, ends] of steps) seat(step, ends)
  for (const call of former) keepOwn(call)
}

/** Whether its call has a real result before it that says something else. */
const isSpare = ({ part }: Result, { results: [first] }: Call): boolean =>
  !isPlaceholder(first.part) && !equal(first.part.content, part.content)

/** Results that name one and the same call, whichever it is. */
type Alike = Result[]

/** The loose results behind a step: those without an id, and strangers by what they say of their call. */
interface LooseEnds {
  readonly bare: Alike[]
  readonly strangers: Map<string, Alike>
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

const byPlace = ([a]: Alike, [b]: Alike): number => a.position - b.position || a.slot - b.slot

function attachAll(results: Alike, call: Call | undefined): void {
  if (call) for (const result of results) attach(result, call)
}
