import type { BaseMessage, SystemMessage } from '@langchain/core/messages'
import { unknownSettings } from '../../codecs/shared/envelope.ts'
import { notify } from '../fetch/notify.ts'
import type { readOptions } from './adapter-options.ts'
import { continuationKeys, targetOfModel } from './chat-model-target.ts'
import { healList, withModel } from './heal-messages.ts'

/** The request of an agent to its model, as far as healing reads it. */
export interface ModelCall {
  readonly model: unknown
  readonly messages: BaseMessage[]
  readonly systemMessage?: SystemMessage
  readonly tools?: readonly unknown[]
  readonly toolChoice?: unknown
  readonly modelSettings?: Readonly<Record<string, unknown>>
  readonly responseFormat?: unknown
}

/**
 * Heals a request to a model. Returns the same object if nothing is wrong with it, or if it cannot be healed. The agent's system
 * message, which it keeps apart from the messages, is read as the first message.
 */
export async function healModelCall<Call extends ModelCall>(
  call: Call,
  { onRepair, onError, choices, resizer }: ReturnType<typeof readOptions>,
): Promise<Call> {
  try {
    const target = await targetOfModel(call.model, { ...call.modelSettings, tools: call.tools })
    const dialect = choices.for ?? target.dialect
    const continues = target.continues || continuationKeys.some(key => Boolean(call.modelSettings?.[key]))
    const options = { ...choices, ...withModel(target.model), for: dialect, continues }
    const system = call.systemMessage?.text ? [call.systemMessage] : []
    // LangChain may declare a tool for a structured response.
    const tools = call.tools?.length === 0 && !call.responseFormat ? 'none' : 'declared'
    const messages = [...system, ...call.messages]
    const healed = await resizer.run(resize => healList(messages, { ...unknownSettings, tools }, options, resize))
    if (!healed) return call
    const { changed, repairs, remaining, settings } = healed
    notify(onRepair, { changed, repairs, remaining, dialect, ...withModel(target.model) })
    const declared =
      typeof settings.tools === 'string' ? {} : { tools: settings.tools.map(declare), toolChoice: 'none' }
    return { ...call, ...divide(healed.messages, system[0]), ...declared }
  } catch (error) {
    notify(onError, error)
    return call
  }
}

/** Separates the agent's system message from the messages again. */
function divide(messages: BaseMessage[], system: SystemMessage | undefined): Partial<ModelCall> {
  const [first, ...rest] = messages
  if (!system || first?.type !== 'system') return { messages }
  return first === system ? { messages: rest } : { messages: rest, systemMessage: first as SystemMessage }
}

/** A declaration for a tool that is known only from calls in the history. */
const declare = (name: string): unknown => ({
  type: 'function',
  function: { name, description: '', parameters: { type: 'object', properties: {} } },
})
