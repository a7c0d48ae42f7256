import { isRecord } from '../../core/conversation.ts'
import { AntiphonError } from '../../core/errors.ts'
import { equal } from '../../core/json/equal.ts'
import { isTooDeep } from '../../core/json/nesting.ts'
import { hasBegun } from '../branches/thread-item.ts'
import { handleReader } from '../call.ts'
import type { JournalCall, ThreadState } from '../fold.ts'
import type { Log } from '../log.ts'
import { copyAsJson } from '../render/copy-as-json.ts'

export interface ApproveOptions {
  readonly reason?: string
  /** The input to run the call with: a JSON object, or a text if the tool takes free text. By default the input of the model. */
  readonly input?: unknown
}

/** The decision about a call. `isFirst` is true if this one was stored, and false if there was one already. */
export interface ApprovalResult {
  readonly isFirst: boolean
  readonly status: 'approved' | 'denied' | 'expired' | 'started' | 'settled'
  readonly reason?: string
  /** The input as a person changed it. */
  readonly input?: unknown
}

/** Decides a call that has no decision yet, and returns the decision that counts. */
export async function decideCall(
  log: Log,
  callId: string,
  { approved, reason, input }: ApproveOptions & { readonly approved: boolean },
): Promise<ApprovalResult> {
  const now = await log.now()
  const edited = input === undefined ? undefined : editedInput(await log.catchUp(), callId, input)
  const given = {
    ...(reason === undefined ? {} : { reason }),
    ...(edited === undefined ? {} : { input: edited }),
  }
  const { planned, entries } = await log.command(() => ({ do: 'decide', call: callId, approved, now, ...given }))
  if (entries.length > 0 && planned.why === undefined)
    return { isFirst: true, status: approved ? 'approved' : 'denied', ...copyAsJson(given) }
  return { isFirst: false, ...storedDecision(log.state.calls.get(callId)) }
}

/** The changed input of a call; undefined if it equals the input of the model. Throws if it is not an object, or not text for a tool that takes free text. */
export function editedInput(state: ThreadState, callId: string, input: unknown): unknown {
  const call = state.calls.get(callId)
  if (!call) return undefined
  const { input: asked, isReadable } = handleReader(state)(call)
  const takesText = isReadable && typeof asked === 'string'
  const isFit = takesText ? typeof input === 'string' : isRecord(input) && !isTooDeep(input)
  if (!isFit)
    throw new AntiphonError(
      'invalid-input',
      `the changed input of ${call.name} is not a ${takesText ? 'text' : 'JSON object'}`,
      {
        hint: 'pass the whole input with which the call is to run',
        call: callId,
      },
    )
  const copy: unknown = copyAsJson(input)
  return equal(copy, asked) ? undefined : copy
}

function storedDecision(call: JournalCall | undefined): Omit<ApprovalResult, 'isFirst'> {
  if (!call) return { status: 'settled' }
  const { decision, edited, outcome } = call
  if (outcome?.state === 'expired') return { status: 'expired' }
  if (decision) {
    const { approved, reason } = decision
    return {
      status: approved ? 'approved' : 'denied',
      ...(reason === undefined ? {} : { reason }),
      ...(edited && { input: copyAsJson(edited.input) }),
    }
  }
  if (outcome?.state === 'denied') return { status: 'denied' }
  return { status: outcome || !hasBegun(call) ? 'settled' : 'started' }
}
