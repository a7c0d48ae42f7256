import { isRecord } from '../../core/conversation.ts'
import type { Tool, ToolContext, Tools } from '../../journal/index.ts'

/** A tool of the AI SDK, with further options for the journal. */
export interface ChatTool extends Pick<Tool, 'replay' | 'probe' | 'timeoutMs' | 'expiresMs'> {
  /** Runs the call. Without it the call waits for its result from the client. */
  readonly execute?: ((input: never, options: never) => unknown) | undefined
  /** The model's version of an output, if it is not the output itself. */
  readonly toModelOutput?: ((options: never) => unknown) | undefined
  readonly needsApproval?: boolean | ((input: never, options: never) => boolean | PromiseLike<boolean>) | undefined
}

export type ChatTools = Readonly<Record<string, ChatTool | undefined>>

/** The tools in the form that the journal runs. */
export const journalTools = (tools: ChatTools): Tools =>
  Object.fromEntries(Object.entries(tools).flatMap(([name, tool]) => (tool ? [[name, brokerTool(tool)]] : [])))

/** The tools as declared to the model: only the journal runs a call, or asks for its approval. */
export const modelTools = <Declared extends ChatTools>(tools: Declared): Declared =>
  Object.fromEntries(
    Object.entries(tools).map(([name, tool = {}]) => {
      const { execute: _, needsApproval: __, ...declared } = tool
      return [name, declared]
    }),
  ) as Declared

function brokerTool(tool: ChatTool): Tool {
  const { execute, needsApproval = false, replay, probe, timeoutMs, expiresMs } = tool
  return {
    ...(replay && { replay }),
    ...(probe && { probe: probe.bind(tool) }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(expiresMs === undefined ? {} : { expiresMs }),
    approval:
      typeof needsApproval === 'function'
        ? async (input: never, { signal }) => needsApproval.call(tool, input, optionsOf({ signal }))
        : needsApproval,
    ...(execute && {
      execute: async (input: never, context: ToolContext) =>
        lastOf(await execute.call(tool, input, optionsOf(context))),
    }),
  }
}

/** What a tool of the library gets besides its input. */
const optionsOf = ({ signal, callId = '', key = callId }: Partial<ToolContext> & { signal: AbortSignal }): never =>
  ({ toolCallId: callId, key, messages: [], abortSignal: signal, context: {} }) as never

/** If a tool reports progress, its last value is the result. */
async function lastOf(output: unknown): Promise<unknown> {
  if (!isRecord(output) || !(Symbol.asyncIterator in output)) return output
  let last: unknown
  for await (const piece of output as AsyncIterable<unknown>) last = piece
  return last
}
