import { Cohere, CohereClient, CohereClientV2, CohereError } from 'cohere-ai'
import { type Client, loop, schema } from './client.ts'

/** The library hands on a stream that ends with an error like any other: its reader must look. */
class Ended extends Error {}

const isError: Client['isError'] = (error, status) => {
  if (status === 429) return error instanceof Cohere.TooManyRequestsError
  if (status === 503) return error instanceof Cohere.ServiceUnavailableError
  return status === undefined ? error instanceof Ended : error instanceof CohereError && error.statusCode === status
}

const options = (url: string) => ({ token: 'any', baseUrl: `${url}/cohere`, maxRetries: 0, timeoutInSeconds: 10 })

const model = 'command-a-03-2025'

export const cohereV2: Client = {
  name: 'cohere v2',
  isError,
  converse(url, talk) {
    const client = new CohereClientV2(options(url))
    const messages: Cohere.ChatMessages = [{ role: 'user', content: talk.prompt }]
    const tools = talk.tools.map(name => ({ type: 'function' as const, function: { name, parameters: schema } }))
    return loop(talk, async results => {
      messages.push(...results.map(({ call, text }) => ({ role: 'tool' as const, toolCallId: call.id, content: text })))
      const request = { model, messages, ...(tools.length > 0 && { tools }) }
      const said = talk.stream ? await gather(client, request) : (await client.chat(request)).message
      messages.push({ ...said, role: 'assistant' })
      const calls = (said.toolCalls ?? []).map(({ id, function: called }) => ({
        ...{ id, name: called?.name ?? '', input: JSON.parse(called?.arguments ?? '') },
      }))
      const texts = (said.content ?? []).map(item => (item.type === 'text' ? item.text : ''))
      return { text: texts.join(''), calls }
    })
  },
}

async function gather(client: CohereClientV2, request: Parameters<CohereClientV2['chatStream']>[0]) {
  let [text, toolPlan] = ['', '']
  const toolCalls: Cohere.ToolCallV2[] = []
  for await (const event of await client.chatStream(request)) {
    if (event.type === 'content-delta') text += event.delta?.message?.content?.text ?? ''
    if (event.type === 'tool-plan-delta') toolPlan += event.delta?.message?.toolPlan ?? ''
    const call = event.type === 'tool-call-start' ? event.delta?.message?.toolCalls : undefined
    if (call) toolCalls.push(call)
    if (event.type === 'tool-call-delta') {
      const called = toolCalls[event.index ?? 0].function
      if (called) called.arguments += event.delta?.message?.toolCalls?.function?.arguments ?? ''
    }
    if (event.type === 'message-end' && event.delta?.finishReason === 'ERROR') throw new Ended(event.delta.error)
  }
  const content = [{ type: 'text' as const, text }]
  return toolCalls.length > 0 ? { toolPlan, toolCalls } : { content }
}

/** Hands back the history that it is given each time. */
export const cohereV1: Client = {
  name: 'cohere v1',
  isError,
  withoutIds: true,
  converse(url, talk) {
    const client = new CohereClient(options(url))
    let chatHistory: Cohere.Message[] = []
    const parameterDefinitions = { city: { type: 'str', required: true } }
    const tools = talk.tools.map(name => ({ name, description: name, parameterDefinitions }))
    return loop(talk, async results => {
      const toolResults = results.map(({ call: { name, input }, text }) => ({
        call: { name, parameters: input as Record<string, unknown> },
        outputs: [{ output: text }],
      }))
      const isNew = results.length === 0
      const said = await ask(client, talk.stream, {
        ...{ model, message: isNew ? talk.prompt : '', chatHistory },
        ...(!isNew && { toolResults }),
        ...(tools.length > 0 && { tools }),
      })
      chatHistory = said.chatHistory ?? []
      const calls = (said.toolCalls ?? []).map(({ name, parameters }) => ({ id: '', name, input: parameters }))
      return { text: said.text, calls }
    })
  },
}

async function ask(
  client: CohereClient,
  stream: boolean,
  request: Parameters<CohereClient['chat']>[0],
): Promise<Cohere.NonStreamedChatResponse> {
  if (!stream) return present(await client.chat(request))
  let [text, said]: [string, Cohere.NonStreamedChatResponse | undefined] = ['', undefined]
  for await (const event of await client.chatStream(request)) {
    if (event.eventType === 'text-generation') text += event.text
    if (event.eventType !== 'stream-end') continue
    if (event.finishReason === 'ERROR') throw new Ended(event.finishReason)
    said = event.response
  }
  if (!said) throw new Error('the stream has no end')
  return said.toolCalls ? said : { ...said, text }
}

/** The library hands on what is no JSON as an answer that has nothing. */
function present(said: Cohere.NonStreamedChatResponse): Cohere.NonStreamedChatResponse {
  if (typeof said.text !== 'string') throw new Error('the answer has no text')
  return said
}
