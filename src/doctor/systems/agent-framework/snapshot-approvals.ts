import { isRecord } from '../../../core/conversation.ts'
import { placeholderTexts } from '../../../core/placeholder.ts'
import type { RecordFields } from '../../record-format.ts'
import { decidedBy, isQuestion, payloadIn } from './approval-payload.ts'
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
  const results = new Map<string, unknown>()
  for (const [index, message] of messages.entries()) {
    const id = payloads[index] ? undefined : answeredBy(message)
    if (id !== undefined && !results.has(id) && isRecord(message)) results.set(id, message.content)
  }
  const aside = { role: 'activity' }
  const seen = [...messages]
  const changed = new Set<number>()
  const spent: number[] = []
  const answers = new Map<string, { readonly text: string; readonly from: RecordFields }>()
  const refused = new Set<string>()
  for (const [index, payload] of payloads.entries()) {
    const message = messages[index]
    if (!payload || !isRecord(message)) continue
    const { call, about, isAccepted } = payload
    if (waiting.has(call.id) || (about && waiting.has(about.id))) continue
    changed.add(index)
    if (!isAccepted) refused.add((about ?? call).id)
    seen[index] = aside
    if (results.has(call.id)) spent.push(index)
    else {
      const done = about && results.get(about.id)
      const text = isAccepted
        ? typeof done === 'string'
          ? done
          : placeholderTexts.unknown
        : about
          ? declined
          : rejected
      if (!answers.has(call.id)) answers.set(call.id, { text, from: message })
    }
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
  for (const [index, message] of messages.entries()) {
    const decisions = decisionsIn(message)
    if (decisions.length === 0 || !isRecord(message)) continue
    const { function_approvals: _, ...words } = message
    const ids = decisions.map(({ call_id: id }) => String(id))
    if (ids.some(id => waiting.has(id))) continue
    changed.add(index)
    for (const { call_id: id, approved } of decisions) if (approved === false) refused.add(decided(String(id)))
    if (!ids.some(id => isOpen(decided(id)))) spent.push(index)
    seen[index] = isSaid(message.content) ? words : aside
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

/** The keys of a placeholder result in the framework's order. */
const inOrder = ({ id, role, content, ...rest }: RecordFields): RecordFields => ({ id, role, content, ...rest })

/** The framework's own result for a question that was answered with no. */
const declined = 'Changes declined.'

const decisionsIn = (message: unknown): readonly RecordFields[] =>
  isRecord(message) && Array.isArray(message.function_approvals) ? message.function_approvals.filter(isRecord) : []

const isSaid = (content: unknown): boolean => content !== undefined && content !== null && content !== ''
