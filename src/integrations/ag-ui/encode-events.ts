import type { Event } from '@ag-ui/core'
import { loadWithPackages } from '../load-with-packages.ts'

/** Writes events as bytes. */
export interface EventEncoder {
  readonly contentType: string
  encode(event: Event): Uint8Array
  /** As text, for a transport of text. */
  readonly encodeText?: (event: Event) => string
}

/** Server-sent events, or protocol buffers if the client asks for them. */
export async function encoderFor(accept: string | null): Promise<EventEncoder> {
  if (!accept?.includes(protobufType)) return textEncoder
  const { EventEncoder } = await loadWithPackages('protobuf for AG-UI clients', ['@ag-ui/encoder'], loadEncoder)
  const encoder = new EventEncoder({ accept: protobufType })
  return { contentType: protobufType, encode: event => encoder.encodeBinary(event) }
}

const loadEncoder = () => import('@ag-ui/encoder')

const protobufType = 'application/vnd.ag-ui.event+proto'
const utf8 = new TextEncoder()

const encodeText = (event: Event): string => `data: ${JSON.stringify(withoutNulls(event))}\n\n`

export const textEncoder: EventEncoder = {
  contentType: 'text/event-stream',
  encode: event => utf8.encode(encodeText(event)),
  encodeText,
}

/** Optional fields may be absent, but not null. */
function withoutNulls(event: Event): unknown {
  const fields = Object.entries(event)
  if (fields.every(([name, value]) => value !== null || values.has(name))) return event
  return Object.fromEntries(fields.filter(([name, value]) => value !== null || values.has(name)))
}

/** Fields of any value. */
const values = new Set(['snapshot', 'value', 'event'])
