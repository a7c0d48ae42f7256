import { ToolMessage } from '@langchain/core/messages'
import type { Command } from '@langchain/langgraph'
import type { SerializerProtocol } from '@langchain/langgraph-checkpoint'
import { isRecord } from '../../core/conversation.ts'
import { placeholderTexts } from '../../core/placeholder.ts'

/** The outcome of an agent's tool: its result, or a command to the graph. */
export type ToolOutcome = ToolMessage | Command

/** An outcome as it is stored. */
export async function writeOutcome(outcome: ToolOutcome, serde: SerializerProtocol): Promise<string> {
  const value = ToolMessage.isInstance(outcome) ? { message: outcome } : { command: fieldsOf(outcome) }
  const [type, data] = await serde.dumpsTyped(value)
  return JSON.stringify([type, Buffer.from(data).toString('base64')])
}

export async function readOutcome(text: string, serde: SerializerProtocol): Promise<ToolOutcome> {
  const [type, data] = JSON.parse(text) as [string, string]
  const { message, command } = (await serde.loadsTyped(type, Buffer.from(data, 'base64'))) as Kept
  if (message) return message
  // Only a tool that returns commands needs them again, and it has loaded the package already.
  const { Command, Send } = await import('@langchain/langgraph')
  const goto = [command?.goto ?? []].flat().map(target => {
    return isRecord(target) ? new Send(String(target.node), target.args) : String(target)
  })
  return new Command({ ...command, goto } as ConstructorParameters<typeof Command>[0])
}

interface Kept {
  readonly message?: ToolMessage
  readonly command?: CommandFields
}

type CommandFields = Readonly<Record<'update' | 'resume' | 'goto' | 'graph', unknown>>

const fieldsOf = ({ update, resume, goto, graph }: Command): CommandFields => ({ update, resume, goto, graph })

/** The result of a call whose outcome is unknown. */
export const unknownResult = (call: Answered): ToolMessage => madeUp(call, placeholderTexts.unknown)

/** What LangChain answers for a tool that throws. */
export const failedResult = (call: Answered, error: string): ToolMessage =>
  madeUp(call, `${error}\n Please fix your mistakes.`)

interface Answered {
  readonly id?: string | undefined
  readonly name: string
}

const madeUp = ({ id = '', name }: Answered, content: string): ToolMessage =>
  new ToolMessage({ content, tool_call_id: id, name, status: 'error' })
