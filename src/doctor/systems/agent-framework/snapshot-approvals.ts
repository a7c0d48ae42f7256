import { isRecord } from '../../../core/conversation.ts'
import { placeholderTexts } from '../../../core/placeholder.ts'
import type { RecordFields } from '../../record-format.ts'
import { decidedBy, isQuestion, type Payload, payloadIn } from './approval-payload.ts'
import { rejected } from './record-format.ts'
import { answeredBy, type SnapshotCall } from './snapshot-calls.ts'

/** Messages without leftover decisions, and how to restore the repaired ones. */
export interface WithoutApprovals {
  /** As many messages as before: those that do not count are replaced by asides. */
  readonly messages: readonly unknown[]
  /** The messages that were left out or changed, by index. */
  readonly changed: ReadonlySet<number>
  /** Those of them that hold decisions on nothing that is open. */
  readonly spent: readonly number[]
  /** The repaired messages with the texts from the decisions. */
  finish(healed: readonly unknown[]): unknown[]
}

/**
 * Removes people's decisions from the places of results: to the framework they are not results, and it would run their
 * calls again. Decisions on calls that still wait stay.
 */
export function withoutApprovals(
  messages: readonly unknown[],
  calls: ReadonlyMap<string, SnapshotCall>,
  waiting: ReadonlySet<string>,
): WithoutApprovals {
  const payloads = messages.map(message => payloadIn(message, calls))
  const results = resultsIn(messages.filter((_, index) => !payloads[index]))
  const seen = [...messages]
  const changed = new Set<number>()
  const spent: number[] = []
  const answers = new Map<string, { readonly text: string; readonly from: RecordFields }>()
  const refused = new Set<string>()

  const removeResult = (index: number, message: RecordFields, payload: Payload): void => {
    const { call, about, isAccepted } = payload
    if (waiting.has(call.id) || (about && waiting.has(about.id))) return
    changed.add(index)
    if (!isAccepted) refused.add((about ?? call).id)
    seen[index] = aside
    if (results.has(call.id)) spent.push(index)
    else if (!answers.has(call.id)) answers.set(call.id, { text: textFor(payload, results), from: message })
  }

  const decided = (id: string): string => {
    const call = calls.get(id)
    return call ? decidedBy(call) : id
  }
  /** A question may stay without a result, so it does not make a call wait. */
  const isOpen = (id: string): boolean => {
    const call = calls.get(id)
    return call !== undefined && !isQuestion(call) && !results.has(id)
  }
  const removeDecisions = (index: number, message: RecordFields, decisions: readonly RecordFields[]): void => {
    const { function_approvals: _, ...words } = message
    const ids = decisions.map(({ call_id: id }) => String(id))
    if (ids.some(id => waiting.has(id))) return
    changed.add(index)
    for (const { call_id: id, approved } of decisions) if (approved === false) refused.add(decided(String(id)))
    if (!ids.some(id => isOpen(decided(id)))) spent.push(index)
    seen[index] = isFilled(message.content) ? words : aside
  }

  for (const [index, payload] of payloads.entries()) {
    const message = messages[index]
    if (payload && isRecord(message)) removeResult(index, message, payload)
  }
  for (const [index, message] of messages.entries()) {
    const decisions = decisionsIn(message)
    if (decisions.length > 0 && isRecord(message)) removeDecisions(index, message, decisions)
  }
  const known = new Set(seen)
  const finish = (healed: readonly unknown[]): unknown[] =>
    healed
      .filter(message => message !== aside)
      .map(message => {
        const id = known.has(message) ? undefined : answeredBy(message)
        if (id === undefined || !isRecord(message)) return message
        const answer = answers.get(id)
        if (answer) return { ...answer.from, content: answer.text }
        return inOrder(refused.has(id) ? { ...message, content: rejected, error: rejected } : message)
      })
  return { messages: seen, changed, spent, finish }
}

/** Takes the place of a message that does not count. */
const aside = { role: 'activity' }

/** The content of the first result of each call. */
function resultsIn(messages: readonly unknown[]): Map<string, unknown> {
  const results = new Map<string, unknown>()
  for (const message of messages) {
    const id = answeredBy(message)
    if (id !== undefined && !results.has(id) && isRecord(message)) results.set(id, message.content)
  }
  return results
}

/** The text of the result that replaces a decision. */
function textFor({ about, isAccepted }: Payload, results: ReadonlyMap<string, unknown>): string {
  if (!isAccepted) return about ? declined : rejected
  const done = about && results.get(about.id)
  return typeof done === 'string' ? done : placeholderTexts.unknown
}

/** The keys of a placeholder result in the framework's order. */
const inOrder = ({ id, role, content, ...rest }: RecordFields): RecordFields => ({ id, role, content, ...rest })

/** The framework's own result for a question that was answered with no. */
const declined = 'Changes declined.'

const decisionsIn = (message: unknown): readonly RecordFields[] =>
  isRecord(message) && Array.isArray(message.function_approvals) ? message.function_approvals.filter(isRecord) : []

const isFilled = (content: unknown): boolean => content !== undefined && content !== null && content !== ''
