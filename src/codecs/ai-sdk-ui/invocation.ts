import { type Fields, isRecord } from '../../core/conversation.ts'

/** A tool part as version 4 writes it: everything known of the call is in one separate field. */
export type Invocation = Fields & { readonly type: 'tool-invocation'; readonly toolInvocation: Fields }

export const isInvocation = (raw: unknown): raw is Invocation =>
  isRecord(raw) && raw.type === 'tool-invocation' && isRecord(raw.toolInvocation)

/** Which step of its message a call belongs to: version 4 counts them and looks for no marks. */
const stepOf = ({ toolInvocation }: Invocation): unknown => toolInvocation.step ?? 0

/** Whether version 4 starts a new step at a part that follows an invocation. */
export const isNextStep = (last: Invocation, raw: unknown): boolean =>
  isInvocation(raw) ? stepOf(raw) !== stepOf(last) : isRecord(raw) && raw.type === 'text'

/**
 * The same as a tool part of later versions. The key of a result shows that there is one, whatever the state; a store drops
 * the key of an undefined result.
 */
export function fromInvocation({ toolInvocation }: Invocation): Fields & { readonly type: string } {
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

/** A tool part of the current version, written over the invocation that it was read from. */
export function toInvocation(before: Invocation, part: Fields): Fields {
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

/** There is no error flag: only the text shows it. */
function answerIn({ state, output, errorText, approval }: Fields): Fields | undefined {
  if (state === 'output-available') return { state: 'result', result: output ?? null }
  if (state === 'output-error') return { state: 'result', result: errorText }
  return state === 'output-denied' && isRecord(approval) ? { state: 'result', result: approval.reason } : undefined
}
