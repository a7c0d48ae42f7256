import { equal } from './equal.ts'
import { addTo, attach, type Call, keepOwn, type Result, type Step } from './pairs.ts'
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
  for (const { result, step, isSeated } of loose) {
    if (result.call && (idless || !isSpare(result))) continue
    let ends = steps.get(step)
    if (!ends) {
      ends = { calls: new LooseCalls(step), bare: [], named: [], unnamed: new Map() }
      steps.set(step, ends)
    }
    if (result.part.id === '' || idless) ends.bare.push(result)
    else if (result.part.name) ends.named.push(result)
    else if (isSeated) addTo(ends.unnamed, result.part.id, result)
  }
  const deserted = new Set<Call>()
  for (const ends of steps.values()) {
    for (const [result, call] of seatsFor(ends)) {
      if (result.call) deserted.add(result.call)
      attach(result, call)
    }
  }
  for (const call of deserted) keepOwn(call)
}

/** Whether its call has a real result before it that says something else. */
function isSpare({ call, part }: Result): boolean {
  const first = call?.results[0]
  return first !== undefined && !isPlaceholder(first.part) && !equal(first.part.content, part.content)
}

/** The loose results behind a step: without an id, and strangers with and without a name. */
interface LooseEnds {
  readonly calls: LooseCalls
  readonly bare: Result[]
  readonly named: Result[]
  readonly unnamed: Map<string, Result[]>
}

function* seatsFor({ calls, bare, named, unnamed }: LooseEnds): Generator<[Result, Call]> {
  for (const result of named) {
    const call = calls.takeFor(result.part.id, result.part.name ?? '')
    if (call) yield [result, call]
  }
  const uncertain = calls.open(calls.isUncertain)
  const all = [...unnamed.values(), ...bare.map(result => [result])].sort(byPlace)
  if (
    all.length === uncertain.length &&
    all.every(([{ part }], at) => !part.name || part.name === uncertain[at].part.name)
  ) {
    for (const [index, results] of all.entries()) for (const result of results) yield [result, uncertain[index]]
    return
  }
  if (unnamed.size === uncertain.length && all.length <= calls.open().length) {
    for (const [index, results] of [...unnamed.values()].entries())
      for (const result of results) yield [result, uncertain[index]]
  }
  for (const result of bare) {
    const call = calls.take(result.part.name ? `name ${result.part.name}` : 'any')
    if (call) yield [result, call]
  }
}

const byPlace = ([a]: Result[], [b]: Result[]): number => a.position - b.position || a.slot - b.slot

/** The calls of a step by what a result may know of them, each given out once. */
class LooseCalls {
  readonly #calls: readonly Call[]
  readonly #counts = new Map<string, number>()
  readonly #queues = new Map<string, { readonly calls: Call[]; next: number }>()
  readonly #strangers = new Map<string, Call | undefined>()

  constructor({ calls }: Step) {
    this.#calls = calls
    for (const { part } of calls) this.#counts.set(part.id, (this.#counts.get(part.id) ?? 0) + 1)
    for (const call of calls) {
      this.#add('any', call)
      this.#add(`name ${call.part.name}`, call)
      if (this.isUncertain(call)) this.#add(`uncertain ${call.part.name}`, call)
    }
  }

  /** Its id is lost, or stands on another call of the step too. */
  isUncertain = ({ part }: Call): boolean => part.id === '' || this.#counts.get(part.id) !== 1

  open(isMeant: (call: Call) => boolean = () => true): Call[] {
    return this.#calls.filter(call => call.results.length === 0 && isMeant(call))
  }

  /** The first of them that is open. */
  take(key: string): Call | undefined {
    const queue = this.#queues.get(key)
    if (!queue) return undefined
    while (queue.next < queue.calls.length && queue.calls[queue.next].results.length > 0) queue.next++
    return queue.calls[queue.next]
  }

  /** The same one for all results with a stranger's id. */
  takeFor(id: string, name: string): Call | undefined {
    const key = `${name} ${id}`
    if (!this.#strangers.has(key)) this.#strangers.set(key, this.take(`uncertain ${name}`))
    return this.#strangers.get(key)
  }

  #add(key: string, call: Call): void {
    const queue = this.#queues.get(key)
    if (queue) queue.calls.push(call)
    else this.#queues.set(key, { calls: [call], next: 0 })
  }
}
