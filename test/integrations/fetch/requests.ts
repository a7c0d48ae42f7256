import { chatMessages } from './clients/openai.ts'
import { failures, healthy } from './failures.ts'

export const chatPath = '/v1/chat/completions'

/** Spaces, escapes and key order that no serialiser would write. */
export const healthyBody = `{ "messages" : ${JSON.stringify(chatMessages(healthy))},\n\t"model":"gpt\\u002d5", "x": 1.0 }`

export const brokenBody = JSON.stringify({ model: 'gpt-5', messages: chatMessages(failures.unanswered) })

/** The messages of a body that went out. */
export const messagesOf = (body: Buffer): unknown[] => JSON.parse(body.toString()).messages

export const post = (body: RequestInit['body'], more: RequestInit = {}): RequestInit => ({
  method: 'POST',
  ...(body === undefined ? {} : { body }),
  ...more,
})
