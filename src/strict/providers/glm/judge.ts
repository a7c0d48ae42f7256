import type { HistoryEntry } from '../../judge/entry.ts'
import { inferred } from '../../judge/inferred.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import type { RawRequest, Validator } from '../../judge/validator.ts'

/** GLM. Only its requirement of a user message is known; its Anthropic endpoint does not accept the system role. */
export const validateGlm: Validator = (chat, raw) =>
  raw.format === 'anthropic' ? [...chat.flatMap(systemRole), ...inferred(raw, noUser(chat, raw))] : noUser(chat, raw)

function noUser(chat: HistoryEntry[], { messages, body }: RawRequest): RejectionReason[] {
  // A request without messages is a different error, whose message is not known.
  if (chat.some(({ role }) => role === 'user') || (body && messages.length === 0)) return []
  const message = 'The messages parameter is illegal. Please check the documentation.'
  return [reject('gl-1214', message, 'messages', { code: '1214' })]
}

const systemRole = ({ role, at }: HistoryEntry): RejectionReason[] =>
  role === 'system' ? [reject('gl-anthropic-system', "Input should be 'user' or 'assistant'", at, { status: 422 })] : []
