import { isRecord } from '../../core/conversation.ts'
import { memberSpans, type Span } from '../../files/json-spans.ts'
import { unreadable } from '../../unreadable.ts'
import { examineList } from '../examine-list.ts'
import { type JsonDocument, treatList } from '../json-document.ts'
import { quote } from '../quote.ts'
import type { Examination } from '../system.ts'
import { waitingCalls } from './interrupts.ts'
import { withoutApprovals } from './snapshot-approvals.ts'

/** The snapshot that a document is, or that it holds under `snapshot`. */
export function snapshotIn(
  value: unknown,
): { readonly messages: readonly unknown[]; readonly interrupt: unknown } | undefined {
  const snapshot = isRecord(value) && isRecord(value.snapshot) ? value.snapshot : value
  return isRecord(snapshot) && Array.isArray(snapshot.messages)
    ? { messages: snapshot.messages, interrupt: snapshot.interrupt }
    : undefined
}

/** Examines the snapshot of an AG-UI thread. */
export function examineSnapshot(document: JsonDocument): Examination {
  const snapshot = snapshotIn(document.value)
  if (!snapshot) throw unreadable(document.path, 'it is no snapshot with a list of messages')
  const { messages, interrupt } = snapshot
  const waiting = waitingCalls(interrupt)
  const view = withoutApprovals(messages, waiting)
  const {
    messages: healed,
    dropped,
    ...found
  } = examineList(view.messages, { format: 'ag-ui' }, { pendingCalls: waiting })
  const rules = new Map(dropped.map(({ at, rule }) => [at, rule]))
  const gone = [...view.changed].map(index => {
    const at = `messages[${index}]`
    return { at, rule: rules.get(at) ?? 'unanswered-call', content: JSON.stringify(messages[index]) }
  })
  const places = new Set(gone.map(({ at }) => at))
  return {
    ...found,
    repairs: found.repairs.map(repair => quote(repair, 'openai')),
    dropped: [...dropped.filter(({ at }) => !places.has(at)), ...gone],
    notes: gone.map(({ at }) => `${at} is a decision that was left behind: the framework would run its call again`),
    ...(found.repairs.length === 0
      ? {}
      : { treatment: treatList(document, listSpan(document), messages, view.finish(healed)) }),
  }
}

/** Where the list of messages stands in the text. */
function listSpan({ text, value }: JsonDocument): Span {
  const outside = memberSpans(text, text.indexOf('{'))
  const isInside = isRecord(value) && isRecord(value.snapshot)
  const members = isInside ? memberSpans(text, find(outside, 'snapshot').start) : outside
  return find(members, 'messages')
}

const find = (members: ReturnType<typeof memberSpans>, key: string): Span =>
  members.findLast(member => JSON.parse(member.key) === key) as Span
