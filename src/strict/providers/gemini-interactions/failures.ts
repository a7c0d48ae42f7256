import { isObject, objectOf } from '../../json.ts'
import type { FailureKind, ProviderFailure, StrictRequest } from '../../provider.ts'
import { geminiFailure } from '../gemini/failures.ts'

/** Failures of the same servers in the format of this API. Of their codes only `invalid_request` was seen. */
export function interactionsFailure(kind: FailureKind, request?: StrictRequest): ProviderFailure {
  const { status, body } = geminiFailure(kind, request)
  const { message, status: code } = objectOf(isObject(body) ? body.error : undefined)
  return { status, body: { error: { message, code: status === 400 ? 'invalid_request' : String(code).toLowerCase() } } }
}
