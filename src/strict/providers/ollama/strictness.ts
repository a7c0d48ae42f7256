import type { RejectionReason } from '../../judge/rejection-reason.ts'
import type { Validator } from '../../judge/validator.ts'
import type { ProviderFailure, StrictRequest } from '../../provider.ts'
import type { Strictness } from '../../strictness.ts'
import { llamaCppRejection } from '../local/llama-cpp-rejection.ts'
import { familyOf } from '../templates/families.ts'
import { validateOllama } from './judge.ts'

/**
 * Models of its library have templates that reject nothing. Models from Hugging Face run with their own template on
 * llama.cpp's server, whose error is passed on as text.
 */
const validate: Validator = (chat, raw) => {
  const reasons = validateOllama(chat, raw)
  const isForeign = /^(hf\.co|huggingface\.co)\//.test(raw.model ?? '')
  return reasons.length > 0 || !isForeign ? reasons : (familyOf(raw.model)?.template(chat, raw) ?? [])
}

function rejection(reason: RejectionReason, request: StrictRequest): ProviderFailure {
  if (!reason.fact.startsWith('tp-')) return { status: 400, body: { error: reason.message } }
  const { status, body } = llamaCppRejection(reason, request)
  return { status, body: { error: JSON.stringify(body) } }
}

export const ollamaStrictness: Strictness = { validate, rejection }
