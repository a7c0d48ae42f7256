import { isRecord } from '../../../core/conversation.ts'
import type { RecordFields } from '../../record-format.ts'
import { answeredBy, parsed, type SnapshotCall } from './snapshot-calls.ts'

/** A person's decision that is stored where the result of a call belongs. */
export interface Payload {
  /** The call that the message answers. */
  readonly call: SnapshotCall
  /** The call that was decided on, if it is another one: `confirm_changes` only asks. */
  readonly about: SnapshotCall | undefined
  readonly isAccepted: boolean
}

/** The decision that a message holds instead of a result; undefined if it may be real tool output. */
export function payloadIn(message: unknown, calls: ReadonlyMap<string, SnapshotCall>): Payload | undefined {
  const call = calls.get(answeredBy(message) ?? '')
  const content = isRecord(message) ? parsed(message.content) : undefined
  if (!call || !isRecord(content) || !('accepted' in content) || !isDecision(content, call)) return undefined
  const isAccepted = content.accepted === true
  if (call.name !== confirmation) return { call, about: undefined, isAccepted }
  const about = calls.get(String(aboutOf(content, call)))
  return about && { call, about, isAccepted }
}

/** The call with which the framework asks a person. It is never sent to a model, so it needs no result. */
const confirmation = 'confirm_changes'

export const isQuestion = ({ name }: SnapshotCall): boolean => name === confirmation

/** Waiting calls with the questions about them, and the calls that waiting questions are about. */
export function withQuestions(
  waiting: ReadonlySet<string>,
  calls: ReadonlyMap<string, SnapshotCall>,
): ReadonlySet<string> {
  const all = new Set(waiting)
  for (const call of calls.values()) {
    const about = decidedBy(call)
    if (about === call.id || !(waiting.has(call.id) || waiting.has(about))) continue
    all.add(call.id).add(about)
  }
  return all
}

/** The call that a decision on this one decides: a question represents the call it is about. */
export function decidedBy(call: SnapshotCall): string {
  const about = isQuestion(call) ? aboutOf({}, call) : undefined
  return typeof about === 'string' ? about : call.id
}

/** A decision has only the keys of its call's arguments, which a person may edit, and those of the framework. */
function isDecision(content: RecordFields, { input }: SnapshotCall): boolean {
  const edited = isRecord(input) ? input : {}
  const { function_arguments: asked } = edited
  return Object.keys(content).every(
    key => ofTheFramework.has(key) || Object.hasOwn(edited, key) || (isRecord(asked) && Object.hasOwn(asked, key)),
  )
}

const ofTheFramework = new Set([
  'accepted',
  'approved',
  'steps',
  'editedArgs',
  'function_call_id',
  'function_name',
  'function_arguments',
  'reason',
])

/** The call that the decision names, that the question names, or the only other call next to the question. */
function aboutOf(content: RecordFields, { input, siblings }: SnapshotCall): unknown {
  const named = content.function_call_id ?? (isRecord(input) ? input.function_call_id : undefined)
  const [other, ...more] = siblings.filter(({ name }) => name !== confirmation)
  return named ?? (more.length === 0 ? other?.id : undefined)
}
