import { inForm, type ReadForm, readForm } from './body-form.ts'
import { bodyText } from './body-text.ts'
import { forNewBody } from './request-headers.ts'

export type FetchArguments = Parameters<typeof globalThis.fetch>

/** The arguments of a `fetch` call in any form, and the request that they make. */
export interface FetchRequest {
  readonly sent: FetchArguments
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly signal: AbortSignal | undefined
}

/** A request whose body was read. */
export interface ReadFetchRequest {
  /** The arguments that send it unchanged: the caller's own, unless the body could be read only once. */
  readonly sent: FetchArguments
  /** Undefined if the body is not text, too long, or of a form that never contains a history. */
  readonly text: string | undefined
  /** The arguments that send it with another body. */
  withText(text: string): FetchArguments
}

/** Undefined if the arguments do not make a request; `fetch` then throws the error. */
export function readFetchRequest(sent: FetchArguments): FetchRequest | undefined {
  const [input, init] = sent
  const request = isRequest(input) ? input : undefined
  try {
    return {
      sent,
      method: (init?.method ?? request?.method ?? 'GET').toUpperCase(),
      url: new URL(request?.url ?? String(input), (globalThis as { location?: { href: string } }).location?.href),
      headers: new Headers(init?.headers ?? request?.headers),
      signal: (init?.signal === undefined ? request?.signal : init.signal) ?? undefined,
    }
  } catch {
    return undefined
  }
}

/** An error while reading the body is left to `fetch`. */
export async function readFetchBody(
  { sent, headers, signal }: FetchRequest,
  bytesMax: number,
): Promise<ReadFetchRequest> {
  const [input, init] = sent
  const request = isRequest(input) ? input : undefined
  const given = init?.body ?? undefined
  const reading = given === undefined ? readCopy(request, bytesMax, signal) : readForm(given, bytesMax, signal)
  const { content, body = given } = await reading.catch((): Partial<ReadForm> => ({}))
  const withInit = (changes: RequestInit): FetchArguments => [input, { ...copyOf(init), ...changes }]
  return {
    sent: body === given || body === undefined ? sent : withInit({ body }),
    text: content === undefined ? undefined : await bodyText(content, headers.get('content-encoding') ?? '', bytesMax),
    withText: text => {
      const named = init?.headers ?? request?.headers
      return withInit({ ...(named && { headers: forNewBody(named) }), body: inForm(given, text) })
    },
  }
}

const isRequest = (value: unknown): value is Request =>
  typeof value === 'object' && value !== null && 'url' in value && 'clone' in value

/** A request keeps its own body; a copy of it is read. */
async function readCopy(
  request: Request | undefined,
  bytesMax: number,
  signal: AbortSignal | undefined,
): Promise<Partial<ReadForm>> {
  const copy = request?.body && !request.bodyUsed ? request.clone().body : undefined
  if (!copy) return {}
  const { content, body } = await readForm(copy, bytesMax, signal)
  // Otherwise the rest of the stream would be buffered for a reader that never reads it.
  if (body instanceof ReadableStream) body.cancel().catch(() => {})
  return { content }
}

/** A `Request` may also be passed as the options; none of its fields are own properties. */
function copyOf(init: RequestInit | undefined): RequestInit {
  if (!isRequest(init)) return { ...init }
  const entries = fields.map(field => [field, (init as unknown as Record<string, unknown>)[field]] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

const fields = [
  ...['method', 'headers', 'body', 'mode', 'credentials', 'cache', 'redirect', 'referrer', 'referrerPolicy'],
  ...['integrity', 'keepalive', 'signal', 'duplex'],
]
