import { type Content, GoogleGenAI } from '@google/genai'
import type { Said } from '../failures.ts'
import { type Client, drain, tool } from './client.ts'

export function contents(messages: readonly Said[]): Content[] {
  const list: Content[] = []
  for (const [index, message] of messages.entries()) {
    if (message.who === 'tool') {
      const part = { functionResponse: { name: tool, response: { output: message.text } } }
      if (messages[index - 1]?.who === 'tool') list.at(-1)?.parts?.push(part)
      else list.push({ role: 'user', parts: [part] })
    } else if (message.who === 'assistant') {
      const { text, call } = message
      const parts = [
        ...(text === undefined ? [] : [{ text }]),
        ...(call === undefined ? [] : [{ functionCall: { name: tool, args: {} } }]),
      ]
      list.push({ role: 'model', parts })
    } else list.push({ role: message.who, parts: [{ text: message.text }] })
  }
  return list
}

const google = (name: string, vertexai: boolean): Client => ({
  name,
  refused: ['orphan', 'split', 'interrupt', 'system', 'crash', 'unanswered'],
  async ask({ url, messages, stream, fetch }) {
    const client = new GoogleGenAI({ apiKey: 'any', vertexai, httpOptions: { baseUrl: url, fetch } })
    const request = { model: 'gemini-2.5-flash', contents: contents(messages) }
    if (!stream) return client.models.generateContent(request)
    return drain(await client.models.generateContentStream(request))
  },
})

export const genai = google('google genai', false)
export const genaiVertex = google('google genai, at Vertex AI', true)
