import { readStream } from './read-stream.ts'

export type BodyForm = NonNullable<RequestInit['body']>

/** A body as it was read. */
export interface ReadForm {
  /** Its content; undefined if it is too long, or of a form that never contains a history. */
  readonly content: string | Uint8Array<ArrayBuffer> | undefined
  /** The body to send: the original, unless that could be read only once. */
  readonly body: BodyForm
}

/** Reads a body of any form. */
export async function readForm(body: BodyForm, bytesMax: number, signal?: AbortSignal | undefined): Promise<ReadForm> {
  if (typeof body === 'string') return { content: body.length > bytesMax ? undefined : body, body }
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body))
    return { content: body.byteLength > bytesMax ? undefined : bytesOf(body), body }
  if (body instanceof Blob)
    return { content: body.size > bytesMax ? undefined : new Uint8Array(await body.arrayBuffer()), body }
  const stream = streamOf(body)
  if (!stream) return { content: undefined, body }
  const read = await readStream(stream, bytesMax, signal)
  return { content: read instanceof Uint8Array ? read : undefined, body: read }
}

/** Converts a text to the form of another body, as far as the form tells the provider what kind of body it is. */
export function inForm(body: BodyForm | undefined, text: string): BodyForm {
  if (typeof body === 'string') return text
  return body instanceof Blob ? new Blob([text], { type: body.type }) : new TextEncoder().encode(text)
}

const bytesOf = (body: ArrayBuffer | ArrayBufferView): Uint8Array<ArrayBuffer> =>
  body instanceof ArrayBuffer
    ? new Uint8Array(body)
    : new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength)

/** A stream that is not being read yet. Node streams are read as async iterables. */
function streamOf(body: BodyForm): ReadableStream | undefined {
  if (body instanceof ReadableStream) return body.locked ? undefined : body
  if (body instanceof FormData || body instanceof URLSearchParams) return undefined
  return Symbol.asyncIterator in Object(body) ? ReadableStream.from(body as AsyncIterable<unknown>) : undefined
}
