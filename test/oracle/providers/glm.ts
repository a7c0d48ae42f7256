import type { Entry } from '../entry.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Validator } from '../validator.ts'

/** GLM. Only its demand for a user message is known; its Anthropic endpoint takes no system role. */
export const glm: Validator = (chat, { format }) => [
  ...(chat.some(({ role }) => role === 'user') ? [] : [refuse('gl-1214', illegalText, 'messages')]),
  ...(format === 'anthropic' ? chat.flatMap(systemRole) : []),
]

const illegalText = 'The messages parameter is illegal. Please check the documentation.'

const systemRole = ({ role, at }: Entry): Refusal[] =>
  role === 'system' ? [refuse('gl-anthropic-system', "Input should be 'user' or 'assistant'", at)] : []
