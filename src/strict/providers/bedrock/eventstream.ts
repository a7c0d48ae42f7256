import { crc32 } from 'node:zlib'
import type { Framing, StreamEvent } from '../../server/framing.ts'

/**
 * The binary framing of AWS event streams. A message consists of its length, the length of its headers, a checksum of these
 * two, the headers, the payload, and a checksum of everything before. All numbers are big-endian.
 */
export const eventstream: Framing = {
  contentType: 'application/vnd.amazon.eventstream',
  frame: (events, brokenAt) => events.map((event, index) => message(event, index === brokenAt)),
}

function message({ event = '', data, exception }: StreamEvent, isBroken: boolean): Buffer {
  const kind = exception ? 'exception' : 'event'
  const headers = Buffer.concat([
    header(`:${kind}-type`, event),
    header(':content-type', 'application/json'),
    header(':message-type', kind),
  ])
  const payload = Buffer.from(JSON.stringify(data))
  const lengths = Buffer.concat([uint32(16 + headers.length + payload.length), uint32(headers.length)])
  const body = Buffer.concat([lengths, uint32(crc32(lengths)), headers, payload])
  return Buffer.concat([body, uint32(isBroken ? ~crc32(body) >>> 0 : crc32(body))])
}

/** The length of the name, the name, the type of the value (7 is a string), the length of the value, the value. */
function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(Buffer.byteLength(value))
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), length, Buffer.from(value)])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
