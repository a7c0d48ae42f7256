import { refuse } from '../../judge/objection.ts'
import type { Validator } from '../../judge/validator.ts'

/** Groq: a message has no properties but those it knows. */
export const groq: Validator = (chat, { format }) =>
  format === 'openai-chat'
    ? chat.flatMap(({ role, wire, index, at }) => {
        const property = Object.keys(wire).find(key => !known.has(key))
        if (property === undefined) return []
        const message = `'messages.${index}' : for 'role:${role}' the following must be satisfied[('messages.${index}' : property '${property}' is unsupported)]`
        return [refuse('gq-unsupported', message, at)]
      })
    : []

/** All that OpenAI and Groq itself write into messages. Some of it may be refused as well. */
const known = new Set([
  ...['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'function_call', 'refusal', 'annotations', 'audio'],
  ...['reasoning', 'executed_tools', 'channel', 'documents'],
])
