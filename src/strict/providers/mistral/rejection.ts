import type { RejectionReason } from '../../judge/rejection-reason.ts'
import type { ProviderFailure } from '../../provider.ts'

/** A rejection of Mistral's API. Its type names the kind of error, and the number repeats it. */
export function mistralRejection({ fact, message }: RejectionReason): ProviderFailure {
  const [type, code] = kinds[fact] ?? ['invalid_request_message_order', '3230']
  return { status: 400, body: { object: 'error', message, type, param: null, code } }
}

const call = ['invalid_function_call', '3280'] as const
const other = ['invalid_request_error', null] as const

const kinds: Readonly<Record<string, readonly [type: string, code: string | null] | undefined>> = {
  ...{ 'mi-id': call, 'mi-id-missing': call, 'mi-name': call },
  ...{ 'mi-none': other, 'mi-both': other, 'mi-prefix': other, 'mi-system-null': other },
}
