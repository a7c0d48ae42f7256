import { inForm, type ReadForm, readForm } from './body-form.ts'
import { forNewBody } from './request-headers.ts'
import { textOf } from './text-of.ts'

export type FetchArguments = Parameters<typeof globalThis.fetch>

/** The arguments of a `fetch`, in whatever form they came, and what they ask of whom. */
export interface FetchRequest {
  readonly sent: FetchArguments
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly signal: AbortSignal | undefined
}

/** A request whose body was read. */
export interface ReadFetchRequest {
  /** What sends it as it came: the caller's own arguments, unless the body could be read only once. */
  readonly sent: FetchArguments
  /** Undefined if the body is no text, too long, or of a form that never holds a history. */
  readonly text: string | undefined
  /** What sends it with another body. */
  withText(text: string): FetchArguments
}

/** Undefined if the arguments do not make a request: to say so is left to `fetch`. */
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

/** Whatever goes wrong with the body is left for `fetch` to tell. */
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
    text: content === undefined ? undefined : await textOf(content, headers.get('content-encoding') ?? '', bytesMax),
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
  // Otherwise all that is still to come would be kept for a reader that never comes.
  if (body instanceof ReadableStream) body.cancel().catch(() => {})
  return { content }
}

/** A request may stand in the place of the options too, and then nothing of it is its own property. */
function copyOf(init: RequestInit | undefined): RequestInit {
  if (!isRequest(init)) return { ...init }
  const entries = fields.map(field => [field, (init as unknown as Record<string, unknown>)[field]] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

const fields = [
  ...['method', 'headers', 'body', 'mode', 'credentials', 'cache', 'redirect', 'referrer', 'referrerPolicy'],
  ...['integrity', 'keepalive', 'signal', 'duplex'],
]
