import type { Diagnostic } from '../../core/rules/check.ts'
import type { TapedCallEnd, TapedRequest, TapedResponse, TapedRule, TapeEntry } from './entry.ts'
import { isRejectionStatus } from './rejection-text.ts'

/** `failed`: no response, or an error that is not about the request itself. `open`: the tape has no response. */
export type RequestVerdict = 'accepted' | 'rejected' | 'failed' | 'open'

/** A request and its outcome. */
export interface RequestSeen {
  /** From 1, in the order of the tape. */
  readonly number: number
  /** Its index in the entries. */
  readonly position: number
  readonly request: TapedRequest & Pick<TapeEntry, 'at' | 'thread'>
  /** Absent if it has no readable history. */
  readonly content: RequestContent | undefined
  /** What was repaired before it was sent. */
  readonly repairs: TapedRule[]
  verdict: RequestVerdict
  answeredAt?: number
  status?: number
  refusal?: string
}

/** The content of the history of a request. */
export interface RequestContent {
  readonly format: string
  readonly dialect: string
  readonly messages: number
  /** The start of the history: requests of one conversation have the same one. */
  readonly opening: string
  /** It continues a conversation that the provider stores. */
  readonly continues: boolean
  readonly calls: readonly SentCall[]
  readonly errors: readonly Diagnostic[]
}

export interface NamedCall {
  /** The id in the history; the name, in formats without ids. */
  readonly id: string
  readonly name: string
}

export interface SentCall extends NamedCall {
  /** Its result is in the history, too. */
  readonly answered: boolean
}

/** Everything a tape has about a call. */
export interface CallSeen extends NamedCall {
  /** When a response made it, and the request of that response. */
  recorded?: { readonly at: number; readonly request?: number }
  readonly starts: number[]
  readonly ends: { readonly at: number; readonly status: TapedCallEnd['status'] }[]
  readonly sent: { readonly request: number; readonly answered: boolean }[]
}

export interface Timeline {
  readonly requests: readonly RequestSeen[]
  readonly calls: readonly CallSeen[]
}

/** How histories and replies are decoded. */
export interface TapeDecoders {
  request(request: TapedRequest): RequestContent | undefined
  calls(response: TapedResponse, format: string | undefined): readonly NamedCall[]
}

/** The outcome of each request and of each call. Ids can be reused: each response with a call makes a new call. */
export function buildTimeline(entries: readonly TapeEntry[], decoders: TapeDecoders): Timeline {
  const requests = new Map<string, RequestSeen>()
  const calls = new Calls()
  for (const [position, entry] of entries.entries()) {
    switch (entry.kind) {
      case 'request': {
        const content = decoders.request(entry)
        const number = requests.size + 1
        requests.set(entry.id, { number, position, request: entry, content, repairs: [], verdict: 'open' })
        calls.send(content?.calls ?? [], number)
        break
      }
      case 'response': {
        const request = requests.get(entry.request ?? '')
        if (request) answer(request, entry)
        for (const call of decoders.calls(entry, request?.content?.format))
          calls.record(call, { at: entry.at, ...(request ? { request: request.number } : {}) })
        break
      }
      case 'call-start':
        calls.latest(entry.call, entry.name).starts.push(entry.at)
        break
      case 'call-end':
        calls.latest(entry.call, entry.name).ends.push({ at: entry.at, status: entry.status })
        break
      case 'repair':
        for (const repair of entry.repairs) requests.get(entry.request ?? '')?.repairs.push(repair)
        break
    }
  }
  return { requests: [...requests.values()], calls: calls.all }
}

function answer(request: RequestSeen, { at, status, refusal }: TapedResponse & { readonly at: number }): void {
  request.answeredAt = at
  if (status !== undefined) request.status = status
  if (refusal !== undefined) request.refusal = refusal
  request.verdict = verdictOf(status, refusal)
}

function verdictOf(status: number | undefined, refusal: string | undefined): RequestVerdict {
  if (status === undefined) return 'failed'
  // In a stream, a rejection follows a success status.
  if (status < 300) return refusal === undefined ? 'accepted' : 'rejected'
  return isRejectionStatus(status) ? 'rejected' : 'failed'
}

/** `#byId` has the calls of each id, the latest last. */
class Calls {
  readonly all: CallSeen[] = []
  readonly #byId = new Map<string, CallSeen[]>()

  /** Two recorders may see one response: until a call was sent, another record with the same id is the same call. */
  record({ id, name }: NamedCall, recorded: NonNullable<CallSeen['recorded']>): void {
    const latest = this.#byId.get(id)?.at(-1)
    const call = latest?.sent.length === 0 ? latest : this.#add(id, name)
    call.recorded ??= recorded
  }

  latest(id: string, name = ''): CallSeen {
    return this.#byId.get(id)?.at(-1) ?? this.#add(id, name)
  }

  /** If several calls have one id, the last ones in the history are the ones that were made last. */
  send(sent: readonly SentCall[], request: number): void {
    const left = new Map<string, number>()
    for (const { id } of sent) left.set(id, (left.get(id) ?? 0) + 1)
    for (const { id, name, answered } of sent) {
      const known = this.#byId.get(id) ?? []
      const fromEnd = left.get(id) as number
      left.set(id, fromEnd - 1)
      const call = known[known.length - fromEnd] ?? known[0] ?? this.#add(id, name)
      if (call.sent.at(-1)?.request !== request) call.sent.push({ request, answered })
    }
  }

  #add(id: string, name: string): CallSeen {
    const call: CallSeen = { id, name, starts: [], ends: [], sent: [] }
    this.all.push(call)
    const known = this.#byId.get(id)
    if (known) known.push(call)
    else this.#byId.set(id, [call])
    return call
  }
}
