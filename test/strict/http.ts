import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Api, findProvider, type Provider, type ProviderRejection, type Strict } from '../../src/strict/index.ts'

export type Json = Record<string, unknown>

/** Where each API is asked. */
export const paths: Record<Api, { whole: string; stream: string }> = {
  'openai-chat': { whole: '/v1/chat/completions', stream: '/v1/chat/completions' },
  'openai-responses': { whole: '/v1/responses', stream: '/v1/responses' },
  anthropic: { whole: '/v1/messages', stream: '/v1/messages' },
  gemini: {
    whole: '/v1beta/models/gemini-3-pro:generateContent',
    stream: '/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse',
  },
  bedrock: { whole: '/model/some.model-v1:0/converse', stream: '/model/some.model-v1:0/converse-stream' },
  'cohere-v2': { whole: '/v2/chat', stream: '/v2/chat' },
  'cohere-v1': { whole: '/v1/chat', stream: '/v1/chat' },
  ollama: { whole: '/api/chat', stream: '/api/chat' },
  'gemini-interactions': { whole: '/v1beta/interactions', stream: '/v1beta/interactions?alt=sse' },
}

export const apis = Object.keys(paths) as Api[]

/** Whose API it is. */
export const owners: Record<Api, string> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'gemini',
  bedrock: 'bedrock',
  'cohere-v2': 'cohere',
  'cohere-v1': 'cohere',
  ollama: 'ollama',
  'gemini-interactions': 'gemini',
}

/** The shortest request that an API has. */
export function hello(api: Api): Json {
  const message = { role: 'user', content: 'Hello' }
  if (api === 'gemini') return { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }
  if (api === 'bedrock') return { messages: [{ role: 'user', content: [{ text: 'Hello' }] }] }
  if (api === 'cohere-v1') return { model: 'm', message: 'Hello' }
  if (api === 'ollama') return { model: 'm', messages: [message], stream: false }
  if (api === 'gemini-interactions') return { model: 'm', input: 'Hello' }
  return { model: 'm', ...(api === 'openai-responses' ? { input: [message] } : { messages: [message] }) }
}

/** Something in all the places where a history may be. */
export function nested(value: unknown): Json {
  const message = { role: 'assistant', content: value, parts: value, tool_calls: value, type: 'function_call' }
  const list = [value, message, { ...message, role: 'user' }, { role: 'tool', content: value, tool_results: [value] }]
  const beside = { message: value, chat_history: list, tool_results: list }
  return { messages: list, contents: list, input: list, tools: list, toolConfig: value, tool_choice: value, ...beside }
}

export const own = (api: Api): Provider => ({ ...(findProvider(owners[api]) as Provider), id: 'own', api })

export const refusing = (api: Api, refusal: ProviderRejection): Provider => ({ ...own(api), reject: () => refusal })

export async function post(
  strict: Strict,
  path: string,
  body: unknown,
  headers = {},
  signal: AbortSignal | null = null,
) {
  const response = await fetch(strict.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal,
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const { status, headers: received } = response
  return { status, headers: received, bytes, text: bytes.toString(), json: (): Json => JSON.parse(bytes.toString()) }
}

export const get = async (strict: Strict, path: string): Promise<Json> =>
  (await fetch(strict.url + path)).json() as Promise<Json>

/** The bytes of an answer as far as they came. */
export function raw(strict: Strict, path: string, body: Json, headers: Record<string, string> = {}): Promise<string> {
  const socket = connect(strict.port, '127.0.0.1')
  const json = JSON.stringify(body)
  const lines = Object.entries({ host: 'x', connection: 'close', 'content-length': json.length, ...headers })
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map(line => line.join(': ')).join('\r\n')}\r\n\r\n${json}`)
  return text(socket)
}

/** The events of a stream. */
export const events = (body: string): { event?: string; data: unknown }[] =>
  body
    .split('\n\n')
    .filter(Boolean)
    .map(block => {
      const event = block.match(/^event: (.*)$/m)?.[1]
      const data = block.match(/^data: (.*)$/m)?.[1] ?? ''
      return { ...(event !== undefined && { event }), data: data === '[DONE]' ? data : JSON.parse(data) }
    })

/** The events of a stream that is one JSON text a line. */
export const lines = (body: string): Json[] =>
  body
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

/** What the events of a stream bring. */
export const dataOf = (all: { data: unknown }[]): Json[] => all.map(({ data }) => data as Json)

/** The messages of Amazon's framing, by their lengths; the client libraries check the sums. */
export function frames(bytes: Buffer): { type: string }[] {
  const found: { type: string }[] = []
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const headers = bytes.subarray(at + 12, at + 12 + bytes.readUInt32BE(at + 4)).toString('latin1')
    found.push({ type: headers.match(/:event-type.{3}(\w+?)\s:content-type/s)?.[1] ?? '' })
  }
  return found
}
