import { isRecord } from '../../core/conversation.ts'
import { describeError } from '../../core/describe-error.ts'
import { AntiphonError } from '../../core/errors.ts'
import { type ToolSchema, validateInput } from '../../journal/calls/tool-schema.ts'
import type { AgentOptions, Tool, ToolContext, Tools } from '../../journal/index.ts'
import type { DeclaredTool } from '../../journal/tool.ts'

/** A tool of the AI SDK, with further options for the journal, or an agent that `agent()` of the journal returns. A call needs an approval if `approval` or `needsApproval` says so. */
export interface ChatTool extends Pick<Tool, 'replay' | 'probe' | 'timeoutMs' | 'expiresMs' | 'agent' | 'approval'> {
  /** Validates the input that a client approves instead of the model's. */
  readonly inputSchema?: unknown
  /** Runs the call. Without it, and without `agent`, the call waits for its result from the client. */
  readonly execute?: ((input: never, options: never) => unknown) | undefined
  /** The model's version of an output, if it is not the output itself. */
  readonly toModelOutput?: ((options: never) => unknown) | undefined
  readonly needsApproval?: boolean | ((input: never, options: never) => boolean | PromiseLike<boolean>) | undefined
}

export type ChatTools = Readonly<Record<string, ChatTool | undefined>>

/** The tools in the form that the journal runs. */
export function journalTools(tools: ChatTools): Tools {
  const agents: JournalAgents = new Map()
  return Object.fromEntries(
    Object.entries(tools).flatMap(([name, tool]) => (tool ? [[name, journalTool(tool, agents)]] : [])),
  )
}

/** The agents in the form that the journal runs: an agent may be among its own tools. */
type JournalAgents = Map<AgentOptions, AgentOptions>

/** The tools as declared to the model: only the journal runs a call, or asks for its approval. */
export const modelTools = <Declared extends ChatTools>(tools: Declared): Declared =>
  Object.fromEntries(
    Object.entries(tools).map(([name, tool = {}]) => {
      const { execute: _, needsApproval: __, agent: ___, approval: ____, ...declared } = tool
      return [name, declared]
    }),
  ) as Declared

/** The tool that an agent of the chat calls, by the names of the tools that lead to it. */
const toolAt = (tools: ChatTools, [name = '', ...below]: readonly string[]): ChatTool | undefined => {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  return below.length === 0 ? tool : tool?.agent && toolAt(tool.agent.tools ?? {}, below)
}

function journalTool(tool: ChatTool, agents: JournalAgents): DeclaredTool {
  const { execute, needsApproval, approval, replay, probe, timeoutMs, expiresMs, agent } = tool
  return {
    ...(replay && { replay }),
    ...(probe && { probe: probe.bind(tool) }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(expiresMs === undefined ? {} : { expiresMs }),
    ...(approval === undefined ? {} : { approval }),
    needsApproval:
      typeof needsApproval === 'function'
        ? async (input: never, { signal }) => needsApproval.call(tool, input, optionsOf({ signal }))
        : needsApproval,
    ...(agent && { agent: journalAgent(agent, agents), ...schemaField(tool) }),
    ...(execute && {
      execute: async (input: never, context: ToolContext) =>
        lastOf(await execute.call(tool, input, { ...context, ...(optionsOf(context) as object) } as never)),
    }),
  }
}

/** An agent whose tools may be tools of the AI SDK as well. Nothing has validated what its model asks for. */
function journalAgent(agent: AgentOptions, agents: JournalAgents): AgentOptions {
  const known = agents.get(agent)
  if (known) return known
  const made = { ...agent, tools: {} }
  agents.set(agent, made)
  made.tools = Object.fromEntries(
    Object.entries((agent.tools ?? {}) as ChatTools).flatMap(([name, tool]) =>
      tool ? [[name, { ...journalTool(tool, agents), ...schemaField(tool) }]] : [],
    ),
  )
  return made
}

function schemaField({ inputSchema }: ChatTool): Pick<Tool, 'inputSchema'> {
  const schema = schemaOf(inputSchema)
  return schema ? { inputSchema: schema } : {}
}

/** What a tool of the AI SDK gets besides its input. */
const optionsOf = ({ signal, callId = '', key = callId }: Partial<ToolContext> & { signal: AbortSignal }): never =>
  ({ toolCallId: callId, key, messages: [], abortSignal: signal, context: {} }) as never

/** If a tool reports progress, its last value is the result. */
async function lastOf(output: unknown): Promise<unknown> {
  if (!isRecord(output) || !(Symbol.asyncIterator in output)) return output
  let last: unknown
  for await (const piece of output as AsyncIterable<unknown>) last = piece
  return last
}

/**
 * The input that a client has changed, as the schema of the tool returns it. The AI SDK validates only what a model asks for, and a client can
 * send anything. Throws if it does not fit. `names` are those of the tools that lead to the call, and its own.
 */
export async function changedInput(tools: ChatTools, names: readonly string[], input: unknown): Promise<unknown> {
  const tool = toolAt(tools, names)
  const schema = schemaOf(tool?.inputSchema)
  if (!schema) return input
  const valid = await validateInput(schema, input)
  // The journal validates the input of agents and their tools when the call runs, and a schema may change what it gets.
  if ('input' in valid) return tool?.agent || names.length > 1 ? input : valid.input
  throw new AntiphonError('invalid-input', valid.problem, {
    hint: 'send the whole input with which the call is to run',
  })
}

/** A schema of the AI SDK is one of a library, such as zod, or the SDK's own with `validate`, or a function that returns one. */
function schemaOf(declared: unknown): ToolSchema | undefined {
  if (isStandard(declared)) return declared
  const schema: unknown = typeof declared === 'function' ? declared() : declared
  if (isStandard(schema)) return schema
  if (!isRecord(schema) || typeof schema.validate !== 'function') return undefined
  const check = schema.validate as (value: unknown) => Promise<unknown>
  const validate = async (value: unknown) => {
    const result = await check(value)
    if (isRecord(result) && result.success === true) return { value: result.value }
    return { issues: [{ message: describeError(isRecord(result) ? result.error : result) }] }
  }
  return { '~standard': { version: 1, vendor: 'ai-sdk', validate } }
}

/** Some libraries make schemas that are functions. */
const isStandard = (schema: unknown): schema is ToolSchema =>
  (typeof schema === 'object' || typeof schema === 'function') && schema !== null && '~standard' in schema
