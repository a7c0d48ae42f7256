import type { Entry } from '../../judge/entry.ts'
import { inferred } from '../../judge/inferred.ts'
import { type Objection, refuse } from '../../judge/objection.ts'
import type { Validator, Wire } from '../../judge/validator.ts'

/** GLM. Only its demand for a user message is known; its Anthropic endpoint takes no system role. */
export const glm: Validator = (chat, wire) =>
  wire.format === 'anthropic'
    ? [...chat.flatMap(systemRole), ...inferred(wire, noUser(chat, wire))]
    : noUser(chat, wire)

function noUser(chat: Entry[], { messages, body }: Wire): Objection[] {
  // A request without any messages is another fault, whose words are not known.
  if (chat.some(({ role }) => role === 'user') || (body && messages.length === 0)) return []
  const message = 'The messages parameter is illegal. Please check the documentation.'
  return [refuse('gl-1214', message, 'messages', { code: '1214' })]
}

const systemRole = ({ role, at }: Entry): Objection[] =>
  role === 'system' ? [refuse('gl-anthropic-system', "Input should be 'user' or 'assistant'", at, { status: 422 })] : []
