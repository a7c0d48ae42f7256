import { AntiphonError } from '../../core/errors.ts'
import type { LiveSpan } from '../../observe/telemetry/live-span.ts'
import { valueContent } from '../../observe/telemetry/message-content.ts'
import type { Telemetry } from '../../observe/telemetry/telemetry.ts'
import type { CallHandle } from '../call.ts'
import type { Outcome } from '../entry.ts'
import { callAttributes } from './entry-trace.ts'

/** What is known to a tool that runs. */
export interface Performing {
  readonly signal: AbortSignal
}

/** Performs a call below a span of its own: what the tool traces by itself stands in it. */
export async function traceTool<Context extends Performing>(
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
  span.content(() => ({ 'gen_ai.tool.call.arguments': valueContent(call.input) }))
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
    if (status === 'done') span.content(() => ({ 'gen_ai.tool.call.result': valueContent(content) }))
    if (status === 'error') span.fail(thrown)
    if (status === 'made-up') failAs(span, signal?.reason)
    return outcome
  } finally {
    span.end()
  }
}

/** Why nobody waited for the tool: an interruption is no error, everything else is. */
function failAs(span: LiveSpan, reason: unknown): void {
  if (!AntiphonError.is(reason)) span.fail({ code: 'timeout' })
  else if (reason.code !== 'interrupted') span.fail(reason)
}
