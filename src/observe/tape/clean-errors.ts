import { isRecord } from '../../core/conversation.ts'
import { cleanText } from './clean-url.ts'

/**
 * A response body with API keys removed from error messages. Some providers and gateways report an error with status 200. A body
 * that is not JSON is treated as an error message.
 */
export const cleanErrors = (body: unknown): unknown =>
  typeof body === 'string' ? cleanText(body) : clean(body, false, true)

function clean(value: unknown, isError: boolean, isTop: boolean): unknown {
  if (typeof value === 'string') return isError ? cleanText(value) : value
  if (Array.isArray(value)) return value.map(item => clean(item, isError, isTop))
  if (!isRecord(value)) return value
  const isWhole = isError || /error|exception/i.test(`${value.type} ${value.object} ${value.__type}`)
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      const isText = isTop && typeof field === 'string' && /^(message|msg|detail|reason|title)$/i.test(key)
      return [key, clean(field, isWhole || isText || errorFields.test(key), false)]
    }),
  )
}

/** Fields that hold an error or a part of one. */
const errorFields =
  /^(last_?)?(error|errors|fault|failure|exception|warnings?|details|detail|incomplete_details)$|error_?(message|description|details?)$/i
