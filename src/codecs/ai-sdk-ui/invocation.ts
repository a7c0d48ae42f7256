import { isRecord } from '../../core/conversation.ts'

type Fields = Readonly<Record<string, unknown>>

/** A tool part as version 4 writes it: all that is known of the call stands in a field of its own. */
export type Invocation = Fields & { readonly type: 'tool-invocation'; readonly toolInvocation: Fields }

export const isInvocation = (raw: unknown): raw is Invocation =>
  isRecord(raw) && raw.type === 'tool-invocation' && isRecord(raw.toolInvocation)

/** Which step of its message a call belongs to: version 4 counts them and looks for no marks. */
const stepOf = ({ toolInvocation }: Invocation): unknown => toolInvocation.step ?? 0

/** Whether version 4 begins a new step at a part, behind an invocation. */
export const isNextStep = (last: Invocation, raw: unknown): boolean =>
  isInvocation(raw) ? stepOf(raw) !== stepOf(last) : isRecord(raw) && raw.type === 'text'

/**
 * The same as later versions spell it. The key of a result says that there is one, whatever the state says; a tool that
 * gave back nothing has lost it in a store.
 */
export function inPresentSpelling({ toolInvocation }: Invocation): Fields & { readonly type: string } {
  const { toolCallId, toolName, args, state, result } = toolInvocation
  const isThere = 'result' in toolInvocation
  return {
    type: 'dynamic-tool',
    toolName,
    toolCallId,
    input: args,
    state: isThere ? 'output-available' : 'input-available',
    output: isThere || state !== 'result' ? result : '',
  }
}

/** A part of the present spelling, written over the one that it was read from. */
export function inOldSpelling(before: Invocation, part: Fields): Fields {
  const { result: _, ...call } = before.toolInvocation
  const answer = answerIn(part)
  const toolInvocation = {
    ...call,
    ...(part.toolCallId === undefined ? {} : { toolCallId: part.toolCallId }),
    ...(part.toolName === undefined ? {} : { toolName: part.toolName }),
    ...(part.input === undefined ? {} : { args: part.input }),
    ...(answer ?? { state: call.state === 'partial-call' ? call.state : 'call' }),
  }
  return { ...before, toolInvocation }
}

/** There is no mark of an error: the words say it. */
function answerIn({ state, output, errorText, approval }: Fields): Fields | undefined {
  if (state === 'output-available') return { state: 'result', result: output ?? null }
  if (state === 'output-error') return { state: 'result', result: errorText }
  return state === 'output-denied' && isRecord(approval) ? { state: 'result', result: approval.reason } : undefined
}
