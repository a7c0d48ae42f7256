/** Headers in any form that `fetch` accepts. */
export type HeadersForm = NonNullable<RequestInit['headers']>

/** Headers that describe the body, and are wrong for another body. */
const ofBody = new Set([
  ...['content-length', 'content-encoding', 'transfer-encoding', 'content-md5'],
  ...['digest', 'content-digest', 'repr-digest', 'x-content-sha256'],
])

/** The headers for another body, in their original form, order and spelling. */
export function forNewBody(headers: HeadersForm): HeadersForm {
  if (Array.isArray(headers)) return headers.filter(([name]) => isKept(name))
  if (isIterable(headers)) return [...headers].filter(([name]) => isKept(name)) as [string, string][]
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name))) as Record<string, string>
}

/** Whether a header is kept when the body is replaced. */
export const isKept = (name: string): boolean => !ofBody.has(String(name).toLowerCase())

const isIterable = (headers: HeadersForm): headers is HeadersForm & Iterable<[string, string]> =>
  typeof (headers as { [Symbol.iterator]?: unknown })[Symbol.iterator] === 'function'
