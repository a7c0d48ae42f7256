import { type CallPart, isRecord, type Role } from '../../core/conversation.ts'
import { hostOf } from '../shared/ai-sdk-packages.ts'
import { idText, text } from '../shared/text.ts'

/**
 * How the messages of a turn, from one user or system message to the next, depend on each other: who runs a call, and what
 * became of its approval requests. Both halves of such a pair can be in different messages.
 */
export class TurnCalls {
  /** The index after its last message. */
  readonly end: number
  /** The latest message that makes a call, by the id of the call. */
  readonly #callers = new Map<string, Caller>()
  /** The parts that are results of the provider. */
  readonly #providerRun = new Set<unknown>()
  /** Which provider runs the calls of an id: any part with that id can show it for all of them. */
  readonly #hosts = new Map<string, string>()
  /** The ids of the approval requests for a call, by the index of its message and its own id. */
  readonly #requests = new Map<string, string[]>()
  /** The ids of all approval requests whose call is known, and the parts of these requests. */
  readonly #asked = new Set<string>()
  readonly #known = new Set<unknown>()
  readonly #answers = new Map<string, Answer>()
  readonly #last: number

  constructor(history: readonly unknown[], from: number, to: number) {
    this.#last = history.length - 1
    let end = from
    do this.#read(history[end], end)
    while (++end < to && !opensTurn(history[end]))
    this.end = end
  }

  /** Whether a result answers a provider-run call, in its own message or the nearest earlier one. */
  isHosted(result: unknown): boolean {
    return this.#providerRun.has(result)
  }

  /** Which provider ran the calls of an id. */
  host(id: string): { host?: string } {
    const host = this.#hosts.get(id)
    return host === undefined ? {} : { host }
  }

  /** Whether the call that a request is for is there, and it is the first request of its id. */
  knowsCallOf(request: unknown): boolean {
    return this.#known.has(request)
  }

  /**
   * The approval requests for the first call of a message that has this id, and their answers. The library runs an approved
   * call only if the answer is in the last message; elsewhere the call will never run.
   */
  takeApproval(origin: number, id: string): Pick<CallPart, 'approval' | 'requests'> {
    const key = `${origin} ${id}`
    const requests = this.#requests.get(key)
    if (!requests) return {}
    this.#requests.delete(key)
    const answered = requests.find(request => this.#answers.has(request))
    if (answered === undefined) return { approval: 'requested', requests }
    const answer = this.#answers.get(answered) as Answer
    if (answer.isForwarded) return { approval: 'forwarded', requests }
    if (!answer.granted) return { approval: 'denied', requests }
    return answer.origin === this.#last ? { approval: 'granted', requests } : { requests }
  }

  #read(message: unknown, origin: number): void {
    if (!isRecord(message) || !Array.isArray(message.content)) return
    const { role, content } = message
    for (const part of content) if (part?.type === 'tool-call') this.#readCall(part, origin)
    for (const part of content) {
      if (isRecord(part) && 'toolCallId' in part) this.#readHost(part)
      if (part?.type === 'tool-result') this.#readResult(part, role)
      else if (role === 'assistant' && part?.type === 'tool-approval-request') this.#readRequest(part)
      else if (role === 'tool' && part?.type === 'tool-approval-response') this.#readAnswer(part, origin)
    }
  }

  #readHost({ toolCallId, toolName, providerOptions, approvalId }: Raw): void {
    const id = idText(toolCallId)
    const host = hostOf(id, text(toolName), providerOptions, text(approvalId))
    if (host !== undefined) this.#hosts.set(id, host)
  }

  #readCall({ toolCallId, providerExecuted }: Raw, origin: number): void {
    const id = idText(toolCallId)
    const known = this.#callers.get(id)
    const caller = known?.origin === origin ? known : { origin, isClient: false, isProvider: false }
    if (providerExecuted === true) caller.isProvider = true
    else caller.isClient = true
    if (id !== '') this.#callers.set(id, caller)
  }

  /** Where both made a call of one id, a tool message answers that of the client. */
  #readResult(part: Raw, role: unknown): void {
    const caller = this.#callers.get(idText(part.toolCallId))
    const isLone = role === 'assistant' && !caller && this.#hosts.has(idText(part.toolCallId))
    if (part.providerExecuted === true || isLone || (caller?.isProvider && (role === 'assistant' || !caller.isClient)))
      this.#providerRun.add(part)
  }

  /** A request is for the call in its own message or the nearest earlier one. Its id counts once. */
  #readRequest(part: Raw): void {
    const id = idText(part.toolCallId)
    const caller = this.#callers.get(id)
    const request = text(part.approvalId)
    if (!caller || this.#asked.has(request)) return
    this.#asked.add(request)
    this.#known.add(part)
    const key = `${caller.origin} ${id}`
    const requests = this.#requests.get(key)
    if (requests) requests.push(request)
    else this.#requests.set(key, [request])
  }

  /** A later message beats an earlier one; of two answers in one message the first counts. */
  #readAnswer({ approvalId, approved, providerExecuted }: Raw, origin: number): void {
    const id = text(approvalId)
    const known = this.#answers.get(id)
    if (this.#asked.has(id) && (!known || known.origin < origin))
      this.#answers.set(id, { granted: Boolean(approved), isForwarded: providerExecuted === true, origin })
  }
}

interface Caller {
  readonly origin: number
  isClient: boolean
  isProvider: boolean
}

interface Answer {
  readonly granted: boolean
  readonly isForwarded: boolean
  readonly origin: number
}

type Raw = Readonly<Record<string, unknown>>

const opensTurn = (message: unknown): boolean => {
  const role = roleOf(message)
  return role === 'user' || role === 'system'
}

const roles = new Set<unknown>(['system', 'user', 'assistant', 'tool'])

/** The role of a message that can be read. */
export function roleOf(message: unknown): Role {
  if (!isRecord(message) || !roles.has(message.role)) return 'other'
  const { role, content } = message
  if (role === 'tool') return Array.isArray(content) && content.length > 0 ? 'tool' : 'other'
  const isReadable = typeof content === 'string' || Array.isArray(content) || content === undefined || content === null
  return isReadable ? (role as Role) : 'other'
}
