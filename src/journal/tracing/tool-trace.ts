import { AntiphonError } from '../../core/errors.ts'
import type { LiveSpan } from '../../observe/telemetry/live-span.ts'
import { valueContent } from '../../observe/telemetry/message-content.ts'
import type { Telemetry } from '../../observe/telemetry/telemetry.ts'
import type { CallHandle } from '../call.ts'
import type { Outcome } from '../entry.ts'
import { callAttributes } from './entry-trace.ts'

/** The part of a tool's context that tracing uses. */
export interface ToolSignal {
  readonly signal: AbortSignal
}

/** Performs a call within its own span. Spans of the tool become its children. */
export async function traceTool<Context extends ToolSignal>(
  telemetry: Telemetry,
  turn: LiveSpan,
  call: CallHandle,
  execute: (context: Context) => unknown,
  perform: (execute: (context: Context) => unknown) => Promise<Outcome>,
): Promise<Outcome> {
  const span = telemetry.start(`execute_tool ${call.name}`, {
    kind: 'internal',
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.type': 'function',
      ...callAttributes(call),
      'antiphon.call.again': call.again || undefined,
    },
    parent: turn,
  })
  span.setContent(() => ({ 'gen_ai.tool.call.arguments': valueContent(call.input) }))
  let thrown: unknown
  let signal: AbortSignal | undefined
  const traced = (context: Context): unknown => {
    signal = context.signal
    return span.within(async () => {
      try {
        return await execute(context)
      } catch (error) {
        thrown = error
        throw error
      }
    })
  }
  try {
    const outcome = await perform(traced)
    const { status, state, content } = outcome
    span.set({ 'antiphon.result.status': status, 'antiphon.result.state': state })
    if (status === 'done') span.setContent(() => ({ 'gen_ai.tool.call.result': valueContent(content) }))
    if (status === 'error') span.fail(thrown)
    if (status === 'made-up' && state !== 'unknown') failAs(span, signal?.reason)
    return outcome
  } finally {
    span.end()
  }
}

/** The tool did not end in time. An interruption is not an error, everything else is. */
function failAs(span: LiveSpan, reason: unknown): void {
  if (!AntiphonError.is(reason)) span.fail({ code: 'timeout' })
  else if (reason.code !== 'interrupted') span.fail(reason)
}
