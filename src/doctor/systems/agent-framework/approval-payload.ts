import { isRecord } from '../../../core/conversation.ts'
import { answeredBy, type Fields, parsed, type SnapshotCall } from './snapshot-calls.ts'

/** What a person decided, left in a message where the result of a call belongs. */
export interface Payload {
  /** The call that the message answers. */
  readonly call: SnapshotCall
  /** The call that was decided on, where that is another one: `confirm_changes` only asks. */
  readonly about: SnapshotCall | undefined
  readonly isAccepted: boolean
}

/** The decision that a message holds instead of a result; none if it may be a tool's own words. */
export function payloadIn(message: unknown, calls: ReadonlyMap<string, SnapshotCall>): Payload | undefined {
  const call = calls.get(answeredBy(message) ?? '')
  const content = isRecord(message) ? parsed(message.content) : undefined
  if (!call || !isRecord(content) || !('accepted' in content) || !isDecision(content, call)) return undefined
  const isAccepted = content.accepted === true
  if (call.name !== confirmation) return { call, about: undefined, isAccepted }
  const about = calls.get(String(aboutOf(content, call)))
  return about && { call, about, isAccepted }
}

/** The call by which the framework asks a person. No model hears of it, so it needs no result. */
const confirmation = 'confirm_changes'

export const isQuestion = ({ name }: SnapshotCall): boolean => name === confirmation

/** Calls that wait, with the questions about them, and what waiting questions are about. */
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

/** The call that a decision on this one decides: a question stands for what it is about. */
export function decidedBy(call: SnapshotCall): string {
  const about = isQuestion(call) ? aboutOf({}, call) : undefined
  return typeof about === 'string' ? about : call.id
}

/** A decision has no other keys than the arguments of its call, which a person may edit, and those of the framework. */
function isDecision(content: Fields, { input }: SnapshotCall): boolean {
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

/** What the decision names, what the question names, or the only other call beside the question. */
function aboutOf(content: Fields, { input, siblings }: SnapshotCall): unknown {
  const named = content.function_call_id ?? (isRecord(input) ? input.function_call_id : undefined)
  const others = siblings.filter(({ name }) => name !== confirmation)
  return named ?? (others.length === 1 ? others[0].id : undefined)
}
