import { isRecord } from '../../../core/conversation.ts'
import { Queue } from '../../../core/queue.ts'
import type { RecordFields } from '../../record-format.ts'

/** A person's decision on a call, as a content of a message. */
export interface ApprovalDecision {
  /** The line it is on, from 1, and its index among the contents there. */
  readonly line: number
  readonly index: number
  readonly id: string
  readonly isGranted: boolean
}

/** The calls of one message, and those of them that still wait for a person's decision. */
interface Batch {
  readonly calls: readonly string[]
  readonly asked: Set<string>
  /** Identifies the message. */
  readonly messageKey: string
  /** The last line that belongs to it: its own, or one with decisions directly after it. */
  end: number
}

/**
 * Tracks the approvals of a history. An open request holds back the calls of its message, even if more follows. A
 * decision is done when a result of its call follows it; at the end of the history the next run acts on it; anywhere
 * else it is never acted on, or the call is run at every turn.
 */
export class ApprovalDecisions {
  /** The key of the message of each call whose decision directly follows that message. */
  readonly messageKeys = new Map<string, string>()
  readonly #batches = new Map<string, Batch>()
  readonly #made: ApprovalDecision[] = []
  readonly #open = new Map<string, Queue<ApprovalDecision>>()
  readonly #answered = new Set<string>()
  #last = 0

  push(entry: RecordFields, line: number): void {
    const contents = Array.isArray(entry.contents) ? entry.contents.filter(isRecord) : []
    const idsOf = (type: string): string[] =>
      contents.flatMap(content => (content.type === type ? callOf(content) : []))
    for (const id of idsOf('function_result')) {
      this.#open.get(id)?.take()
      this.#answered.add(id)
    }
    for (const [index, content] of contents.entries())
      if (content.type === 'function_approval_response') this.#decide(content, index, line)
    const asked = idsOf('function_approval_request')
    const calls = [...asked, ...idsOf('function_call')]
    const batch = { calls, asked: new Set(asked), messageKey: `asked ${asked[0]}`, end: line }
    for (const id of asked) this.#batches.set(id, batch)
    this.#last = line
  }

  /** Something unreadable follows. */
  pass(line: number): void {
    this.#last = line
  }

  #decide(content: RecordFields, index: number, line: number): void {
    for (const id of callOf(content)) {
      const decision = { line, index, id, isGranted: content.approved !== false }
      const batch = this.#batches.get(id)
      this.#made.push(decision)
      const open = this.#open.get(id) ?? new Queue()
      open.push(decision)
      this.#open.set(id, open)
      batch?.asked.delete(id)
      if (!batch || (batch.end !== this.#last && batch.end !== line)) continue
      batch.end = line
      this.messageKeys.set(id, batch.messageKey)
    }
  }

  /** Calls that wait for a person, or for the next run. */
  get waiting(): Set<string> {
    const held = [...this.#batches.values()].filter(({ asked }) => asked.size > 0)
    const next = this.#left.filter(({ line }) => line === this.#last)
    // All calls that a message asks for have one batch, which is read once.
    const batches = new Set([...held, ...next.flatMap(({ id }) => this.#batches.get(id) ?? [])])
    return new Set([...next.map(({ id }) => id), ...[...batches].flatMap(({ calls }) => calls)])
  }

  /** Whether a decision of a person is still missing. */
  get isAsking(): boolean {
    return [...new Set(this.#batches.values())].some(({ asked }) => [...asked].some(id => !this.#answered.has(id)))
  }

  /** Decisions that were never acted on, and that are not the last entry of the history. */
  get stale(): ApprovalDecision[] {
    return this.#left.filter(({ line, id }) => line < this.#last && !this.#answered.has(id))
  }

  /** Decisions that do not directly follow their call, and whose call has a result: the result is moved before the decision. */
  get spent(): ApprovalDecision[] {
    return this.#made.filter(({ id }) => this.#answered.has(id) && !this.messageKeys.has(id))
  }

  get #left(): ApprovalDecision[] {
    return [...this.#open.values()].flatMap(open => open.rest)
  }
}

/** The id of a call, or of the call that a request or a decision is about. */
function callOf(content: RecordFields): string[] {
  const { call_id: id } = isRecord(content.function_call) ? content.function_call : content
  return typeof id === 'string' && id !== '' ? [id] : []
}
