import type { TapeEntry } from './entry.ts'
import type { CallSeen, RequestSeen, Timeline } from './timeline.ts'

/** Where a conversation went wrong. */
export interface Moment {
  /** The number of the first request that is malformed, or else of the first that was refused. */
  readonly request: number
  readonly why: 'malformed' | 'refused'
  /** The number of the last request before it that was healthy. */
  readonly healthy?: number
  /** What is wrong, in words. */
  readonly headline: string
  /** What happened since the healthy one, in order, and what is known of the calls that are at fault. */
  readonly story: readonly string[]
}

/** The moment where a history became malformed; undefined if none did. */
export function momentOf(entries: readonly TapeEntry[], timeline: Timeline): Moment | undefined {
  const { requests } = timeline
  const malformed = requests.find(isMalformed)
  const refused = requests.find(({ verdict }) => verdict === 'refused')
  const found = malformed ?? refused
  if (!found) return undefined
  const healthy = precursor(found, requests)
  return {
    request: found.number,
    why: malformed ? 'malformed' : 'refused',
    ...(healthy ? { healthy: healthy.number } : {}),
    headline: headline(found),
    story: [...between(entries, healthy, found, timeline), ...faultyCalls(found, timeline)],
  }
}

const isMalformed = ({ reading }: RequestSeen): boolean => (reading?.errors.length ?? 0) > 0

/** The last healthy request of the same conversation, as far as that is known. */
function precursor(found: RequestSeen, requests: readonly RequestSeen[]): RequestSeen | undefined {
  const { thread } = found.request
  const earlier = requests.filter(
    request =>
      request.number < found.number &&
      request.request.thread === thread &&
      !isMalformed(request) &&
      request.verdict !== 'refused',
  )
  return earlier.findLast(({ reading }) => reading?.opening === found.reading?.opening) ?? earlier.at(-1)
}

function headline({ number, reading, refusal, status }: RequestSeen): string {
  const [first, ...more] = reading?.errors ?? []
  if (first && reading) {
    const others = more.length === 0 ? '' : ` and ${more.length} more`
    return `request ${number} is the first that is malformed for ${reading.dialect}: ${first.rule} at ${first.at}${others}: ${first.message}`
  }
  const words = refusal === undefined ? '' : `: "${refusal}"`
  return `request ${number} is the first that was refused (${status ?? 'in a stream'}), and no rule knows why${words}`
}

/** What happened between two requests. Without a healthy one it begins with the tape. */
function between(
  entries: readonly TapeEntry[],
  healthy: RequestSeen | undefined,
  found: RequestSeen,
  timeline: Timeline,
): string[] {
  const { thread } = found.request
  const teller = new Teller(timeline)
  const start = healthy?.request.at ?? entries[0].at
  const told: string[] = []
  for (const [position, entry] of entries.slice(0, found.position).entries()) {
    if (thread !== undefined && entry.thread !== undefined && entry.thread !== thread) continue
    const words = teller.tell(entry)
    if (words !== undefined && position > (healthy?.position ?? -1)) told.push(`  +${span(entry.at - start)}  ${words}`)
  }
  const left = told.length > toldMax ? [`  ... ${told.length - toldMax} more before that`] : []
  return [
    healthy
      ? `request ${healthy.number} was still healthy, ${span(found.request.at - healthy.request.at)} before it; since then:`
      : 'no request before it on this tape was healthy; what the tape has before it:',
    ...left,
    ...(told.length === 0 ? ['  nothing that is on this tape'] : told.slice(-toldMax)),
  ]
}

const toldMax = 20

/** Tells what happened, entry by entry. `#open` has the calls that run. */
class Teller {
  readonly #open = new Set<string>()
  readonly #requests: Map<string, RequestSeen>
  readonly #names: Map<string, CallSeen>
  readonly #made = new Map<number, CallSeen[]>()

  constructor({ requests, calls }: Timeline) {
    this.#requests = new Map(requests.map(request => [request.request.id, request]))
    this.#names = new Map(calls.map(call => [call.id, call]))
    for (const call of calls) {
      const by = call.recorded?.request
      if (by !== undefined) this.#made.set(by, [...(this.#made.get(by) ?? []), call])
    }
  }

  tell(entry: TapeEntry): string | undefined {
    switch (entry.kind) {
      case 'request':
        return `request ${this.#requests.get(entry.id)?.number} was sent${this.#meanwhile()}`
      case 'response': {
        const { number, verdict = 'open' } = this.#requests.get(entry.request ?? '') ?? {}
        if (number === undefined) return 'a response came'
        const made = (this.#made.get(number) ?? []).slice(0, namedMax).map(label)
        const fate = verdict === 'open' ? 'answered' : verdict
        return `request ${number} was ${fate}${made.length === 0 ? '' : `, and made ${made.join(', ')}`}`
      }
      case 'call-start':
        this.#open.add(entry.call)
        return `${this.#named(entry.call)} was started`
      case 'call-end':
        this.#open.delete(entry.call)
        return `${this.#named(entry.call)} ended: ${endings[entry.status] ?? 'somehow'}`
      case 'input':
        return `input came${this.#meanwhile()}`
      case 'interrupt':
        return `an interrupt came${this.#meanwhile()}`
      case 'repair':
        return undefined
    }
  }

  #named(id: string): string {
    return label(this.#names.get(id) ?? { id, name: '' })
  }

  #meanwhile(): string {
    if (this.#open.size === 0) return ''
    const names = [...this.#open].slice(0, namedMax).map(id => this.#named(id))
    return ` while ${names.join(', ')} ${this.#open.size === 1 ? 'was' : 'were'} running`
  }
}

const namedMax = 3

const endings = { done: 'done', error: 'an error', 'made-up': 'a placeholder' }

/** What the tape knows of the calls that are at fault. */
function faultyCalls({ reading, request, number }: RequestSeen, { calls }: Timeline): string[] {
  const ids = [...new Set((reading?.errors ?? []).flatMap(({ callId }) => callId ?? []))].slice(0, 5)
  return ids.map(id => {
    const call = calls.findLast(call => call.id === id)
    if (!call || (call.starts.length === 0 && call.ends.length === 0 && !call.recorded))
      return `${id}: this tape has no response that made it`
    const ended = call.ends[0]
    const start = call.starts[0]
    const wasSent = call.sent.find(({ request }) => request === number)
    if (ended && ended.at > request.at)
      return `${label(call)} ended ${span(ended.at - request.at)} after request ${number} was sent`
    if (ended) {
      const fate = !wasSent
        ? 'the call is not in it'
        : wasSent.answered
          ? 'its result is in it'
          : 'its result is not in it'
      return `${label(call)} had ended ${span(request.at - ended.at)} before request ${number}; ${fate}`
    }
    if (start !== undefined) return `${label(call)} was started and had not ended when request ${number} was sent`
    const answered = call.sent.some(sent => sent.request <= number && sent.answered)
    return answered ? `${label(call)} was made and answered` : `${label(call)} was made, and the tape has no end of it`
  })
}

const label = ({ id, name }: Pick<CallSeen, 'id' | 'name'>): string =>
  name === '' || name === id ? id : `${id} (${name})`

/** A time as people read it. */
export function span(ms: number): string {
  const time = Math.max(0, Math.round(ms))
  if (time < 1000) return `${time} ms`
  const [tenths, seconds, minutes] = [100, 1000, 60_000].map(unit => Math.round(time / unit))
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
