import type { Diagnostic } from '../../core/rules/check.ts'
import type { TapedCallEnd, TapedRequest, TapedResponse, TapedRule, TapeEntry } from './entry.ts'
import { isRefused } from './refusal-words.ts'

/** `failed`: no answer, or one that is not about the request. `open`: the tape has no response. */
export type Verdict = 'accepted' | 'refused' | 'failed' | 'open'

/** A request, and what became of it. */
export interface RequestSeen {
  /** From 1, in the order of the tape. */
  readonly number: number
  /** Where it stands among the entries. */
  readonly position: number
  readonly request: TapedRequest & Pick<TapeEntry, 'at' | 'thread'>
  /** Absent if there is no history in it that can be read. */
  readonly reading: Reading | undefined
  /** What a seam healed before it went out. */
  readonly repairs: TapedRule[]
  verdict: Verdict
  answeredAt?: number
  status?: number
  refusal?: string
}

/** What the history of a request holds. */
export interface Reading {
  readonly wire: string
  readonly dialect: string
  readonly messages: number
  /** The beginning of the history: requests of one conversation have the same one. */
  readonly opening: string
  /** It goes on with a conversation that the provider holds. */
  readonly continues: boolean
  readonly calls: readonly SentCall[]
  readonly errors: readonly Diagnostic[]
}

export interface NamedCall {
  /** Of the wire; its name, where the wire has none. */
  readonly id: string
  readonly name: string
}

export interface SentCall extends NamedCall {
  /** Its result is there, too. */
  readonly answered: boolean
}

/** All that a tape knows of a call. */
export interface CallSeen extends NamedCall {
  /** When a response made it, and in answer to which request. */
  recorded?: { readonly at: number; readonly request?: number }
  readonly starts: number[]
  readonly ends: { readonly at: number; readonly status: TapedCallEnd['status'] }[]
  readonly sent: { readonly request: number; readonly answered: boolean }[]
}

export interface Timeline {
  readonly requests: readonly RequestSeen[]
  readonly calls: readonly CallSeen[]
}

/** How histories and replies are read: that takes more than a tape knows. */
export interface Readers {
  request(request: TapedRequest): Reading | undefined
  calls(response: TapedResponse, wire: string | undefined): readonly NamedCall[]
}

/** What became of each request and of each call. Ids may be used again: a response that makes a call makes a new one. */
export function timelineOf(entries: readonly TapeEntry[], readers: Readers): Timeline {
  const requests = new Map<string, RequestSeen>()
  const calls = new Calls()
  for (const [position, entry] of entries.entries()) {
    switch (entry.kind) {
      case 'request': {
        const reading = readers.request(entry)
        const number = requests.size + 1
        requests.set(entry.id, { number, position, request: entry, reading, repairs: [], verdict: 'open' })
        calls.send(reading?.calls ?? [], number)
        break
      }
      case 'response': {
        const request = requests.get(entry.request ?? '')
        if (request) answer(request, entry)
        for (const call of readers.calls(entry, request?.reading?.wire))
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
        requests.get(entry.request ?? '')?.repairs.push(...entry.repairs)
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

function verdictOf(status: number | undefined, refusal: string | undefined): Verdict {
  if (status === undefined) return 'failed'
  // Inside a stream a refusal comes with the status of success.
  if (status < 300) return refusal === undefined ? 'accepted' : 'refused'
  return isRefused(status) ? 'refused' : 'failed'
}

/** `#byId` has the calls of each id, the latest last. */
class Calls {
  readonly all: CallSeen[] = []
  readonly #byId = new Map<string, CallSeen[]>()

  /** Two recorders may see one response. As long as a call was not sent, one of the same id is that call. */
  record({ id, name }: NamedCall, recorded: NonNullable<CallSeen['recorded']>): void {
    const latest = this.#byId.get(id)?.at(-1)
    const call = latest?.sent.length === 0 ? latest : this.#add(id, name)
    call.recorded ??= recorded
  }

  latest(id: string, name = ''): CallSeen {
    return this.#byId.get(id)?.at(-1) ?? this.#add(id, name)
  }

  /** Of several with one id the last ones of the history are the latest that were made. */
  send(sent: readonly SentCall[], request: number): void {
    const left = new Map<string, number>()
    for (const { id } of sent) left.set(id, (left.get(id) ?? 0) + 1)
    for (const { id, name, answered } of sent) {
      const known = this.#byId.get(id) ?? []
      const behind = left.get(id) as number
      left.set(id, behind - 1)
      const call = known[known.length - behind] ?? known[0] ?? this.#add(id, name)
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
