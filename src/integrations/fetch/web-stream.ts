import { copyProperties } from './tap.ts'

/**
 * The body of a response as a web stream. A response of `node-fetch` has a stream of Node instead. Undefined if there is no body, or it
 * cannot be read here.
 */
export function webStream(body: unknown): ReadableStream<Uint8Array> | undefined {
  if (isWebStream(body)) return body
  return isNodeStream(body) && typeof ReadableStream.from === 'function' ? ReadableStream.from(body) : undefined
}

/** A response that can still be read, and a copy of its body. */
export interface CopiedResponse {
  readonly response: Response
  readonly copy?: ReadableStream<Uint8Array>
}

/**
 * A copy of the body of a response, as a web stream. There is none if the response has no body, or it cannot be read here. The copies of a stream
 * of Node wait for each other, so that one that is cancelled is read on and thrown away.
 */
export function copyBody(response: Response): CopiedResponse {
  const { body } = response as { readonly body: unknown }
  if (isWebStream(body)) return copyWebBody(response, body)
  return isNodeStream(body) ? { response, copy: flowing(response.clone().body as unknown as NodeStream) } : { response }
}

function copyWebBody(response: Response, body: ReadableStream<Uint8Array>): CopiedResponse {
  if (!clonesOverPorts || !(response instanceof Response) || body.locked)
    return { response, copy: response.clone().body as ReadableStream<Uint8Array> }
  const [kept, copy] = body.tee()
  return { response: copyProperties(new Response(kept, response), response), copy }
}

/**
 * `clone` of Node 18 (undici 5) passes the copy through message ports. If the copy is cancelled before its end, they stay open: each takes memory,
 * and the process does not end by itself.
 */
const clonesOverPorts = Number.parseInt(globalThis.process?.versions?.undici ?? '', 10) < 6

/** Releases the body of a response that is not passed on. */
export function discard(body: unknown): void {
  if (isWebStream(body)) body.cancel().catch(() => {})
  else if (isNodeStream(body)) body.destroy?.()
}

interface NodeStream extends AsyncIterable<Uint8Array> {
  on(event: string, listener: (value: never) => void): unknown
  destroy?(): unknown
}

function flowing(body: NodeStream): ReadableStream<Uint8Array> {
  let isOver = false
  const ending = (end: () => void) => () => {
    if (!isOver) end()
    isOver = true
  }
  return new ReadableStream({
    start(controller) {
      body.on(
        'end',
        ending(() => controller.close()),
      )
      body.on('error', (error: unknown) => ending(() => controller.error(error))())
      body.on('data', (chunk: Uint8Array) => {
        if (!isOver) controller.enqueue(chunk)
      })
    },
    cancel() {
      isOver = true
    },
  })
}

const isWebStream = (body: unknown): body is ReadableStream<Uint8Array> =>
  typeof (body as ReadableStream | null | undefined)?.getReader === 'function'

const isNodeStream = (body: unknown): body is NodeStream =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body && 'on' in body && 'pipe' in body
