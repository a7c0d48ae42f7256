import { isRecord } from '../../core/conversation.ts'
import { cleanWords } from './clean-url.ts'

/**
 * An answer with what was said in it, but without keys in the words of errors: some providers and gateways report an error with
 * status 200. Text that is not JSON is not said by a model either.
 */
export const cleanErrors = (body: unknown): unknown =>
  typeof body === 'string' ? cleanWords(body) : clean(body, false, true)

function clean(value: unknown, isError: boolean, isTop: boolean): unknown {
  if (typeof value === 'string') return isError ? cleanWords(value) : value
  if (Array.isArray(value)) return value.map(item => clean(item, isError, isTop))
  if (!isRecord(value)) return value
  const isWhole = isError || /error|exception/i.test(`${value.type} ${value.object} ${value.__type}`)
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      const isText = isTop && typeof field === 'string' && /^(message|msg|detail|reason|title)$/i.test(key)
      return [key, clean(field, isWhole || isText || named.test(key), false)]
    }),
  )
}

/** Fields that hold an error, in whatever form. */
const named =
  /^(last_?)?(error|errors|fault|failure|exception|warnings?|details|detail|incomplete_details)$|error_?(message|description|details?)$/i
