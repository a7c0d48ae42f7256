import type { TapeEntry } from './entry.ts'
import { formatDuration } from './format-duration.ts'
import type { CallSeen, RequestSeen, Timeline } from './timeline.ts'

/** The first malformed request of a tape, or the first rejected one if none is malformed, and what led to it. */
export interface FirstFailure {
  /** The number of the first malformed request; if there is none, of the first rejected one. */
  readonly request: number
  readonly why: 'malformed' | 'rejected'
  /** The number of the last healthy request before it. */
  readonly healthy?: number
  /** What is wrong, in one sentence. */
  readonly headline: string
  /** The events since the healthy request, in order, and what is known of the faulty calls. */
  readonly story: readonly string[]
}

/** Finds the first malformed request; if there is none, the first rejected one; undefined if there is none. */
export function findFirstFailure(entries: readonly TapeEntry[], timeline: Timeline): FirstFailure | undefined {
  const { requests } = timeline
  const malformed = requests.find(isMalformed)
  const rejected = requests.find(({ verdict }) => verdict === 'rejected')
  const found = malformed ?? rejected
  if (!found) return undefined
  const healthy = lastHealthyBefore(found, requests)
  return {
    request: found.number,
    why: malformed ? 'malformed' : 'rejected',
    ...(healthy ? { healthy: healthy.number } : {}),
    headline: headline(found),
    story: [...eventsBetween(entries, healthy, found, timeline), ...describeFaultyCalls(found, timeline)],
  }
}

const isMalformed = ({ content: reading }: RequestSeen): boolean => (reading?.errors.length ?? 0) > 0

/** The last healthy request of the same conversation, as far as the tape shows. */
function lastHealthyBefore(found: RequestSeen, requests: readonly RequestSeen[]): RequestSeen | undefined {
  const { thread } = found.request
  const earlier = requests.filter(
    request =>
      request.number < found.number &&
      request.request.thread === thread &&
      !isMalformed(request) &&
      request.verdict !== 'rejected',
  )
  return earlier.findLast(({ content: reading }) => reading?.opening === found.content?.opening) ?? earlier.at(-1)
}

function headline({ number, content: reading, refusal, status }: RequestSeen): string {
  const [first, ...more] = reading?.errors ?? []
  if (first && reading) {
    const others = more.length === 0 ? '' : ` and ${more.length} more`
    return `request ${number} is the first that is malformed for ${reading.dialect}: ${first.rule} at ${first.at}${others}: ${first.message}`
  }
  const message = refusal === undefined ? '' : `: "${refusal}"`
  return `request ${number} is the first that was rejected (${status ?? 'in a stream'}), and no rule explains it${message}`
}

/** The events between two requests; without a healthy one, from the start of the tape. */
function eventsBetween(
  entries: readonly TapeEntry[],
  healthy: RequestSeen | undefined,
  found: RequestSeen,
  timeline: Timeline,
): string[] {
  const { thread } = found.request
  const describer = new EventDescriber(timeline)
  const start = healthy?.request.at ?? entries[0]?.at ?? 0
  const isOfThread = (entry: TapeEntry): boolean =>
    thread === undefined || entry.thread === undefined || entry.thread === thread
  const since = (healthy?.position ?? -1) + 1
  const all = entries.slice(since, found.position).filter(isOfThread).filter(isEvent)
  // Only these are described, since the words for one event may need all calls that run.
  const shown = all.slice(-eventsMax)
  const before = shown[0] ? entries.indexOf(shown[0], since) : found.position
  for (const entry of entries.slice(0, before)) if (isOfThread(entry)) describer.follow(entry)
  const events = shown.map(entry => `  +${formatDuration(entry.at - start)}  ${describer.describe(entry)}`)
  const left = all.length > eventsMax ? [`  ... ${all.length - eventsMax} more before that`] : []
  return [
    healthy
      ? `request ${healthy.number} was still healthy, ${formatDuration(found.request.at - healthy.request.at)} before it; since then:`
      : 'no request before it on this tape was healthy; events before it:',
    ...left,
    ...(events.length === 0 ? ['  no events on this tape'] : events),
  ]
}

const eventsMax = 20

type TapeEvent = Exclude<TapeEntry, { readonly kind: 'repair' }>

/** A repair is told with its request. */
const isEvent = (entry: TapeEntry): entry is TapeEvent => entry.kind !== 'repair'

/** Describes the entries of a tape, one by one. `#open` has the calls that run. */
class EventDescriber {
  readonly #open = new Set<string>()
  readonly #requests: Map<string, RequestSeen>
  readonly #names: Map<string, CallSeen>
  readonly #made = new Map<number, CallSeen[]>()

  constructor({ requests, calls }: Timeline) {
    this.#requests = new Map(requests.map(request => [request.request.id, request]))
    this.#names = new Map(calls.map(call => [call.id, call]))
    for (const call of calls) {
      const by = call.recorded?.request
      if (by === undefined) continue
      const made = this.#made.get(by)
      if (made) made.push(call)
      else this.#made.set(by, [call])
    }
  }

  /** Passes an entry that is not described. */
  follow(entry: TapeEntry): void {
    if (entry.kind === 'call-start') this.#open.add(entry.call)
    if (entry.kind === 'call-end') this.#open.delete(entry.call)
  }

  describe(entry: TapeEvent): string {
    this.follow(entry)
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
        return `${this.#named(entry.call)} was started`
      case 'call-end':
        return `${this.#named(entry.call)} ended: ${endings[entry.status] ?? entry.status}`
      case 'input':
        return `input came${this.#meanwhile()}`
      case 'interrupt':
        return `an interrupt came${this.#meanwhile()}`
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

/** What the tape has about the faulty calls. */
function describeFaultyCalls({ content: reading, request, number }: RequestSeen, { calls }: Timeline): string[] {
  const ids = [...new Set((reading?.errors ?? []).flatMap(({ callId }) => callId ?? []))].slice(0, 5)
  return ids.map(id => {
    const call = calls.findLast(call => call.id === id)
    if (!call || (call.starts.length === 0 && call.ends.length === 0 && !call.recorded))
      return `${id}: this tape has no response with this call`
    const ended = call.ends[0]
    const start = call.starts[0]
    const wasSent = call.sent.find(({ request }) => request === number)
    if (ended && ended.at > request.at)
      return `${label(call)} ended ${formatDuration(ended.at - request.at)} after request ${number} was sent`
    if (ended) {
      const fate = !wasSent
        ? 'the call is not in it'
        : wasSent.answered
          ? 'its result is in it'
          : 'its result is not in it'
      return `${label(call)} had ended ${formatDuration(request.at - ended.at)} before request ${number}; ${fate}`
    }
    if (start !== undefined) return `${label(call)} was started and had not ended when request ${number} was sent`
    const answered = call.sent.some(sent => sent.request <= number && sent.answered)
    return answered ? `${label(call)} was made and answered` : `${label(call)} was made; its end is not on the tape`
  })
}

const label = ({ id, name }: Pick<CallSeen, 'id' | 'name'>): string =>
  name === '' || name === id ? id : `${id} (${name})`
