import { isRecord } from '../../../core/conversation.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import { examineList } from '../../examine-list.ts'
import { unreadable } from '../../files/file-error.ts'
import { memberSpans, type Span } from '../../files/json-spans.ts'
import { type JsonDocument, treatList } from '../../json-document.ts'
import { quote } from '../../quote.ts'
import type { Since } from '../../since.ts'
import type { Examination } from '../../system.ts'
import { isQuestion, withQuestions } from './approval-payload.ts'
import { waitingCalls } from './interrupts.ts'
import { withoutApprovals } from './snapshot-approvals.ts'
import { answeredBy, callsIn } from './snapshot-calls.ts'

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
  const calls = callsIn(messages)
  const answered = new Set(messages.map(answeredBy))
  const waiting = withQuestions(waitingCalls(interrupt), calls)
  const questions = [...calls.values()].filter(call => isQuestion(call) && !answered.has(call.id))
  const view = withoutApprovals(messages, calls, waiting)
  const {
    messages: healed,
    dropped,
    ...found
  } = examineList(
    view.messages,
    { format: 'ag-ui', marksSteps: true },
    { pendingCalls: [...waiting, ...questions.map(({ id }) => id)] },
  )
  const repairs = [...view.spent.map(spentRepair), ...found.repairs.map(repair => quote(repair, 'openai'))]
  const spent = new Set(view.spent)
  const gone = [...view.changed].map(index => {
    const rule = spent.has(index) ? 'orphan-approval' : 'unanswered-call'
    return { at: `messages[${index}]`, rule, content: JSON.stringify(messages[index]) }
  })
  const isWaiting = [...waiting].some(id => calls.has(id) && !answered.has(id))
  return {
    ...found,
    state: repairs.length > 0 ? 'broken' : found.state === 'pending' && !isWaiting ? 'healthy' : found.state,
    ...sinceOf(found.since, messages, view.spent),
    repairs,
    dropped: [...dropped, ...gone],
    notes: gone.map(({ at }) => `${at} is a decision that was left behind: the framework would run its call again`),
    ...(repairs.length === 0
      ? {}
      : { treatment: treatList(document, listSpan(document), messages, view.finish(healed)) }),
  }
}

const spentRepair = (index: number): Repair => ({
  rule: 'orphan-approval',
  severity: 'error',
  at: `messages[${index}]`,
  message: 'a decision was left behind on a call that is done or not there',
  help: 'take it out (lossless)',
  class: 'lossless',
  edits: [],
})

/** The first turn that is broken: where a rule of the core says so, or where a decision was left behind. */
function sinceOf(
  since: Since | undefined,
  messages: readonly unknown[],
  spent: readonly number[],
): Pick<Examination, 'since'> {
  if (spent.length === 0) return since ? { since } : {}
  const first = spent.reduce((least, at) => Math.min(least, at))
  const turn = messages.slice(0, first).filter(message => isRecord(message) && message.role === 'user').length
  return { since: since && since.turn <= turn ? since : { turn: Math.max(turn, 1), at: `messages[${first}]` } }
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
