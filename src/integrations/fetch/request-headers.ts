/** Headers in any of the forms that `fetch` takes. */
export type HeadersForm = NonNullable<RequestInit['headers']>

/** What a request says of its body that is no longer true of another one. */
const ofBody = new Set([
  ...['content-length', 'content-encoding', 'transfer-encoding', 'content-md5'],
  ...['digest', 'content-digest', 'repr-digest', 'x-content-sha256'],
])

/** The headers for another body, in their form, order and spelling. */
export function forNewBody(headers: HeadersForm): HeadersForm {
  if (Array.isArray(headers)) return headers.filter(([name]) => isKept(name))
  if (isIterable(headers)) return [...headers].filter(([name]) => isKept(name)) as [string, string][]
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name))) as Record<string, string>
}

/** Whether a header stays with a request whose body is another one. */
export const isKept = (name: string): boolean => !ofBody.has(String(name).toLowerCase())

const isIterable = (headers: HeadersForm): headers is HeadersForm & Iterable<[string, string]> =>
  typeof (headers as { [Symbol.iterator]?: unknown })[Symbol.iterator] === 'function'
