import type { BaseMessage, SystemMessage } from '@langchain/core/messages'
import { unknownSettings } from '../../codecs/shared/envelope.ts'
import { notify } from '../fetch/notify.ts'
import type { readOptions } from './adapter-options.ts'
import { healList, withModel } from './heal-messages.ts'
import { heldBy, readerOf } from './reader.ts'

/** What an agent asks its model with, as far as healing reads it. */
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
 * Heals what a model is asked with: the very same request if nothing is wrong with it, or if it cannot be healed. The words of
 * the system that the agent puts in front are read with the rest.
 */
export async function healModelCall<Call extends ModelCall>(
  call: Call,
  { onRepair, onError, choices }: ReturnType<typeof readOptions>,
): Promise<Call> {
  try {
    const reader = await readerOf(call.model, { ...call.modelSettings, tools: call.tools })
    const dialect = choices.for ?? reader.dialect
    const continues = reader.continues || heldBy.some(key => Boolean(call.modelSettings?.[key]))
    const options = { ...choices, ...withModel(reader.model), for: dialect, continues }
    const system = call.systemMessage?.text ? [call.systemMessage] : []
    // An answer in a given form may be asked for by a tool of its own.
    const tools = call.tools?.length === 0 && !call.responseFormat ? 'none' : 'declared'
    const healed = healList([...system, ...call.messages], { ...unknownSettings, tools }, options)
    if (!healed) return call
    const { changed, repairs, remaining, messages, settings } = healed
    notify(onRepair, { changed, repairs, remaining, dialect, ...withModel(reader.model) })
    const declared =
      typeof settings.tools === 'string' ? {} : { tools: settings.tools.map(declare), toolChoice: 'none' }
    return { ...call, ...divide(messages, system[0]), ...declared }
  } catch (error) {
    notify(onError, error)
    return call
  }
}

/** The agent's own words of the system stand apart from the messages. */
function divide(messages: BaseMessage[], system: SystemMessage | undefined): Partial<ModelCall> {
  const [first, ...rest] = messages
  if (!system || first?.type !== 'system') return { messages }
  return first === system ? { messages: rest } : { messages: rest, systemMessage: first as SystemMessage }
}

/** A tool that is named only because the history has called it. */
const declare = (name: string): unknown => ({
  type: 'function',
  function: { name, description: '', parameters: { type: 'object', properties: {} } },
})
