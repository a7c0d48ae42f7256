import { convertToModelMessages, generateText, jsonSchema, type ModelMessage, type ToolSet, type UIMessage } from 'ai-6'
import { createAnthropic } from 'ai-sdk-anthropic-3'
import { createOpenAI } from 'ai-sdk-openai-3'

/**
 * What opencode sends for a session when the user types on. Its own mapping from parts to messages of the AI SDK is written
 * down here as its source has it; the rest of the way is the AI SDK itself, up to the body of the HTTP request.
 */
export interface Message {
  info: Json
  parts: Json[]
}

export type Json = Record<string, unknown>

export async function requestsOf(messages: readonly Message[]): Promise<{ anthropic: Json; openai: Json }> {
  const shown = chat([...messages].sort(byTime))
  const tools = Object.fromEntries([...toolNames(messages)].map(name => [name, tool]))
  return { anthropic: await ask('anthropic', shown, tools), openai: await ask('openai', shown, tools) }
}

const tool = { inputSchema: jsonSchema({ type: 'object' }) }

const byTime = (one: Message, other: Message): number =>
  createdOf(one) - createdOf(other) || (String(one.info.id) < String(other.info.id) ? -1 : 1)
const createdOf = ({ info }: Message): number => Number((info.time as Json | undefined)?.created ?? 0)

function toolNames(messages: readonly Message[]): Set<string> {
  const names = messages.flatMap(({ parts }) =>
    parts.filter(({ type }) => type === 'tool').map(part => String(part.tool)),
  )
  return new Set(['read', ...names])
}

/** The messages as the program hands them to the AI SDK. */
function chat(messages: readonly Message[]): UIMessage[] {
  const shown = messages.flatMap(({ info, parts }): UIMessage[] => {
    if (parts.length === 0) return []
    const sorted = parts.toSorted((one, other) => (String(one.id) < String(other.id) ? -1 : 1))
    if (info.role === 'user') return [{ id: String(info.id), role: 'user', parts: sorted.flatMap(userPart) }]
    if (info.error && !isAborted(info.error as Json, sorted)) return []
    return [{ id: String(info.id), role: 'assistant', parts: sorted.flatMap(assistantPart) }]
  })
  const next: UIMessage = { id: 'next', role: 'user', parts: [{ type: 'text', text: 'Go on.' }] }
  return [...shown.filter(message => message.parts.some(({ type }) => type !== 'step-start')), next]
}

/** Content before an abort is sent, unless there is only the beginning of a thought. */
const isAborted = ({ name }: Json, parts: readonly Json[]): boolean =>
  name === 'MessageAbortedError' && parts.some(({ type }) => type !== 'step-start' && type !== 'reasoning')

function userPart(part: Json): UIMessage['parts'] {
  if (part.type === 'text' && part.ignored !== true) return [{ type: 'text', text: String(part.text) }]
  if (part.type === 'file' && part.mime !== 'text/plain')
    return [{ type: 'file', url: String(part.url), mediaType: String(part.mime) }]
  if (part.type === 'compaction') return [{ type: 'text', text: 'What did we do so far?' }]
  return []
}

function assistantPart(part: Json): UIMessage['parts'] {
  if (part.type === 'text') return [{ type: 'text', text: String(part.text) }]
  if (part.type === 'step-start') return [{ type: 'step-start' }]
  if (part.type === 'reasoning')
    return [{ type: 'reasoning', text: String(part.text), providerMetadata: part.metadata as never }]
  return part.type === 'tool' ? [toolPart(part)] : []
}

/**
 * A version that does not answer for calls in the middle of their work: then the AI SDK sends a call without a result.
 * A state that is not there at all makes the program fail, and so does this.
 */
function toolPart(part: Json): UIMessage['parts'][number] {
  const state = part.state as Json
  const call = { type: `tool-${part.tool}` as const, toolCallId: String(part.callID), input: state.input }
  const metadata = state.metadata as Json | undefined
  if (state.status === 'completed') {
    const isCleared = (state.time as Json | undefined)?.compacted !== undefined
    return {
      ...call,
      state: 'output-available',
      output: isCleared ? '[Old tool result content cleared]' : state.output,
    }
  }
  if (state.status === 'error' && typeof metadata?.output === 'string' && metadata.interrupted === true)
    return { ...call, state: 'output-available', output: metadata.output }
  if (state.status === 'error') return { ...call, state: 'output-error', errorText: String(state.error) }
  return { ...call, state: 'input-available' }
}

/** The body that the SDK of a provider would send. */
async function ask(provider: 'anthropic' | 'openai', shown: UIMessage[], tools: ToolSet): Promise<Json> {
  const converted = await convertToModelMessages(shown)
  const messages = provider === 'anthropic' ? forAnthropic(converted) : converted
  let body: Json | undefined
  const fetch = async (_: unknown, init?: { body?: unknown }): Promise<Response> => {
    body = JSON.parse(String(init?.body))
    return Response.json({ error: { message: 'seen' } }, { status: 400 })
  }
  const model =
    provider === 'anthropic'
      ? createAnthropic({ apiKey: 'any', fetch })('claude-sonnet-4-5')
      : createOpenAI({ apiKey: 'any', fetch }).chat('gpt-4.1')
  await generateText({ model, messages, tools, maxRetries: 0 }).catch((error: Error) => {
    if (!body) throw error
  })
  return body as Json
}

/** Empty texts and thoughts are left out for Anthropic, and letters that its ids may not have. */
function forAnthropic(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.flatMap((message): ModelMessage[] => {
    if (typeof message.content === 'string') return message.content === '' ? [] : [message]
    const content = (message.content as Json[])
      .filter(part => (part.type !== 'text' && part.type !== 'reasoning') || part.text !== '')
      .map(part =>
        'toolCallId' in part ? { ...part, toolCallId: String(part.toolCallId).replace(/[^a-zA-Z0-9_-]/g, '_') } : part,
      )
    return content.length > 0 ? [{ ...message, content } as unknown as ModelMessage] : []
  })
}
