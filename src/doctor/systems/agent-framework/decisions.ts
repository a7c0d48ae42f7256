import { isRecord } from '../../../core/conversation.ts'

export type Fields = Readonly<Record<string, unknown>>

/** What a person decided on a call, as a content of a message. */
export interface Decision {
  /** The line it stands in, from 1, and its place among the contents there. */
  readonly line: number
  readonly index: number
  readonly id: string
  readonly isGranted: boolean
}

/** The calls of one message, and those of them that a person was asked about and has not decided. */
interface Batch {
  readonly calls: readonly string[]
  readonly asked: Set<string>
  /** Tells it from others. */
  readonly mark: string
  /** The last line that belongs to it: its own, or one with decisions right behind it. */
  end: number
}

/**
 * Follows the approvals of a history. One that was asked for and not decided holds the calls of its message back, whatever
 * came since. One that was decided is done when a result of its call stands behind it; at the end of the history the next
 * run acts on it; anywhere else nobody will, or the call is run at every turn.
 */
export class Decisions {
  /** For calls whose decision stands right behind their message: what tells that message from others. */
  readonly marks = new Map<string, string>()
  readonly #batches = new Map<string, Batch>()
  readonly #made: Decision[] = []
  readonly #open = new Map<string, Decision[]>()
  readonly #answered = new Set<string>()
  #last = 0

  push(entry: Fields, line: number): void {
    const contents = Array.isArray(entry.contents) ? entry.contents.filter(isRecord) : []
    const idsOf = (type: string): string[] =>
      contents.flatMap(content => (content.type === type ? callOf(content) : []))
    for (const id of idsOf('function_result')) {
      this.#open.get(id)?.shift()
      this.#answered.add(id)
    }
    for (const [index, content] of contents.entries())
      if (content.type === 'function_approval_response') this.#decide(content, index, line)
    const asked = idsOf('function_approval_request')
    const calls = [...asked, ...idsOf('function_call')]
    const batch = { calls, asked: new Set(asked), mark: `asked ${asked[0]}`, end: line }
    for (const id of asked) this.#batches.set(id, batch)
    this.#last = line
  }

  /** Something was written behind, though nobody can tell what. */
  pass(line: number): void {
    this.#last = line
  }

  #decide(content: Fields, index: number, line: number): void {
    for (const id of callOf(content)) {
      const decision = { line, index, id, isGranted: content.approved !== false }
      const batch = this.#batches.get(id)
      this.#made.push(decision)
      this.#open.set(id, [...(this.#open.get(id) ?? []), decision])
      batch?.asked.delete(id)
      if (!batch || (batch.end !== this.#last && batch.end !== line)) continue
      batch.end = line
      this.marks.set(id, batch.mark)
    }
  }

  /** Calls that wait for a person, or for the next run. */
  get waiting(): Set<string> {
    const held = [...this.#batches.values()].filter(({ asked }) => asked.size > 0).flatMap(({ calls }) => calls)
    const next = this.#left.filter(({ line }) => line === this.#last)
    return new Set([...held, ...next.flatMap(({ id }) => [id, ...(this.#batches.get(id)?.calls ?? [])])])
  }

  /** Whether a person still has to decide on something. */
  get isAsking(): boolean {
    return [...this.#batches.values()].some(({ asked }) => [...asked].some(id => !this.#answered.has(id)))
  }

  /** Decisions that nobody acted on, and that are not the last thing in the history. */
  get stale(): Decision[] {
    return this.#left.filter(({ line, id }) => line < this.#last && !this.#answered.has(id))
  }

  /** Decisions that stand apart from their calls, which have their results: those go in front of the decisions. */
  get spent(): Decision[] {
    return this.#made.filter(({ id }) => this.#answered.has(id) && !this.marks.has(id))
  }

  get #left(): Decision[] {
    return [...this.#open.values()].flat()
  }
}

/** The id of a call, or of the call that a request or a decision is about. */
function callOf(content: Fields): string[] {
  const { call_id: id } = isRecord(content.function_call) ? content.function_call : content
  return typeof id === 'string' && id !== '' ? [id] : []
}
