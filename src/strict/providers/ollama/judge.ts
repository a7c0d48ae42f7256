import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import type { Validator } from '../../judge/validator.ts'
import { chatRequest } from './chat-request.ts'
import { type GoMismatch, mismatches, unmarshalError } from './go-types.ts'

/** The handler reads a request into Go types, and rejects values of other types. It looks at no pairs and no order. */
export const validateOllama: Validator = (_chat, { format, messages, body }) => {
  if (format !== 'ollama') return []
  const found = [...mismatches(body ?? { messages }, chatRequest, { field: '', struct: '', at: '' })]
  // Types that decode themselves end the decoding, so their errors come before those of other fields.
  return [...found.filter(endsDecoding), ...found.filter(one => !endsDecoding(one))].map(reasonFor)
}

const endsDecoding = ({ field, at, words }: GoMismatch): boolean =>
  (/^messages\b/.test(field) && at !== 'messages') || (words !== undefined && !/^messages\b/.test(field))

/** A message decodes itself, so that the outer struct is the one that its errors name. */
function reasonFor(found: GoMismatch): RejectionReason {
  const { field, at, words } = found
  const isOfMessage = /^messages\b/.test(field)
  const message = words ?? unmarshalError(isOfMessage ? { ...found, struct: 'ChatRequest' } : found)
  return reject(factOf(found), message, at)
}

function factOf({ field, words }: GoMismatch): string {
  if (field === 'messages.content') return 'ol-content'
  if (field === 'messages.tool_calls.function.arguments') return 'ol-arguments'
  if (field === 'messages.images' && words !== undefined) return 'ol-base64'
  return /^messages\b/.test(field) ? 'ol-field' : 'ol-request'
}
