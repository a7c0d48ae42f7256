import { reject } from '../../judge/rejection-reason.ts'
import type { Validator } from '../../judge/validator.ts'

/** Groq: rejects unknown properties of messages. */
export const groq: Validator = (chat, { format }) =>
  format === 'openai-chat'
    ? chat.flatMap(({ role, raw, index, at }) => {
        const property = Object.keys(raw).find(key => !known.has(key))
        if (property === undefined) return []
        const message = `'messages.${index}' : for 'role:${role}' the following must be satisfied[('messages.${index}' : property '${property}' is unsupported)]`
        return [reject('gq-unsupported', message, at)]
      })
    : []

/** All fields that OpenAI and Groq itself write into messages. Some of them may be rejected as well. */
const known = new Set([
  ...['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'function_call', 'refusal', 'annotations', 'audio'],
  ...['reasoning', 'executed_tools', 'channel', 'documents'],
])
