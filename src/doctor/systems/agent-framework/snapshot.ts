import { isRecord } from '../../../core/conversation.ts'
import { memberSpans, type TextSpan } from '../../../core/json/json-spans.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import { examineList } from '../../examine-list.ts'
import { fileError } from '../../files/file-error.ts'
import { type JsonDocument, repairListIn } from '../../json-document.ts'
import { quote } from '../../quote.ts'
import type { BrokenSince } from '../../since.ts'
import type { Examination } from '../../system.ts'
import { isQuestion, withQuestions } from './approval-payload.ts'
import { waitingCalls } from './interrupts.ts'
import { withoutApprovals } from './snapshot-approvals.ts'
import { answeredBy, callsIn } from './snapshot-calls.ts'

/** The snapshot in a document: the document itself, or its member `snapshot`. */
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
  if (!snapshot) throw fileError(document.path, 'it is not a snapshot with a list of messages')
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
    notes: gone.map(({ at }) => `${at} is a leftover decision: the framework would run its call again`),
    ...(repairs.length === 0
      ? {}
      : { storeRepair: repairListIn(document, listSpan(document), messages, view.finish(healed)) }),
  }
}

const spentRepair = (index: number): Repair => ({
  rule: 'orphan-approval',
  severity: 'error',
  at: `messages[${index}]`,
  message: 'a leftover decision on a call that is done or missing',
  help: 'take it out (lossless)',
  class: 'lossless',
  edits: [],
})

/** The first broken turn: found by a rule of the core, or by a leftover decision. */
function sinceOf(
  since: BrokenSince | undefined,
  messages: readonly unknown[],
  spent: readonly number[],
): Pick<Examination, 'since'> {
  if (spent.length === 0) return since ? { since } : {}
  const first = spent.reduce((least, at) => Math.min(least, at))
  const turn = messages.slice(0, first).filter(message => isRecord(message) && message.role === 'user').length
  return { since: since && since.turn <= turn ? since : { turn: Math.max(turn, 1), at: `messages[${first}]` } }
}

/** The position of the list of messages in the text. */
function listSpan({ text, value }: JsonDocument): TextSpan {
  const outside = memberSpans(text, text.indexOf('{'))
  const isInside = isRecord(value) && isRecord(value.snapshot)
  const members = isInside ? memberSpans(text, find(outside, 'snapshot').start) : outside
  return find(members, 'messages')
}

const find = (members: ReturnType<typeof memberSpans>, key: string): TextSpan =>
  members.findLast(member => JSON.parse(member.key) === key) as TextSpan
