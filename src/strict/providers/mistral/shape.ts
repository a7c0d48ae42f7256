import type { Objection } from '../../judge/objection.ts'
import type { Failure } from '../../provider.ts'

/** A refusal of Mistral's API. Its type says what kind of thing is wrong, and the number says it again. */
export function mistralShape({ fact, message }: Objection): Failure {
  const [type, code] = kinds[fact] ?? ['invalid_request_message_order', '3230']
  return { status: 400, body: { object: 'error', message, type, param: null, code } }
}

const call = ['invalid_function_call', '3280'] as const
const other = ['invalid_request_error', null] as const

const kinds: Readonly<Record<string, readonly [type: string, code: string | null] | undefined>> = {
  ...{ 'mi-id': call, 'mi-id-missing': call, 'mi-name': call },
  ...{ 'mi-none': other, 'mi-both': other, 'mi-prefix': other, 'mi-system-null': other },
}
