import { randomBytes } from 'node:crypto'
import { ChunkList } from '../chunk-list.ts'

/** What a client sent: bytes to pass on as they are, or a whole text message. */
export type ClientPiece =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'text'; readonly frames: readonly Buffer[]; readonly payload: Buffer }
  /** Frames that break the protocol or are compressed: from here on, everything is passed on as it is. */
  | { readonly kind: 'unreadable' }
  /** A text message beyond the limit: the frames of it that arrived. */
  | { readonly kind: 'too-long'; readonly frames: readonly Buffer[] }

interface FrameHead {
  readonly isLast: boolean
  readonly opcode: number
  readonly mask: Buffer
  readonly size: number
  /** The bytes of the whole frame. */
  readonly total: number
}

/** Reads the frames of a client (RFC 6455), however they are split into chunks. Text messages are gathered up to a limit. */
export class ClientFrames {
  readonly #bytesMax: number
  #received = new ChunkList()
  #length = 0
  /** How many bytes of a frame are still to be passed on as they arrive. */
  #passing = 0
  #isRaw = false
  /** The kind of the message whose frames arrive. */
  #message: 'text' | 'binary' | undefined
  #frames: Buffer[] = []
  #payloads: Buffer[] = []
  #gathered = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  *push(chunk: Buffer): Generator<ClientPiece> {
    this.#received.push(chunk)
    this.#length += chunk.length
    while (this.#length > 0) {
      const piece = this.#next()
      if (!piece) return
      if (piece.kind !== 'more') yield piece
    }
  }

  #next(): ClientPiece | { readonly kind: 'more' } | undefined {
    if (this.#isRaw) return { kind: 'bytes', bytes: this.#take(this.#length) }
    if (this.#passing > 0) {
      const bytes = this.#take(Math.min(this.#passing, this.#length))
      this.#passing -= bytes.length
      return { kind: 'bytes', bytes }
    }
    const head = this.#head()
    if (head === 'incomplete') return undefined
    if (head === 'unreadable' || !this.#follows(head)) return this.#giveUp({ kind: 'unreadable' })
    if (head.opcode >= 8) return this.#length < head.total ? undefined : this.#passFrame(head)
    const kind = head.opcode === 0 ? this.#message : head.opcode === 1 ? 'text' : 'binary'
    if (kind === 'binary') {
      this.#message = head.isLast ? undefined : kind
      return this.#passFrame(head)
    }
    return this.#gather(head)
  }

  #gather(head: FrameHead): ClientPiece | { readonly kind: 'more' } | undefined {
    if (this.#gathered + head.total > this.#bytesMax || this.#frames.length === framesMax)
      return this.#giveUp({ kind: 'too-long', frames: this.#frames })
    if (this.#length < head.total) return undefined
    const frame = this.#take(head.total)
    // The head of a frame is read again until the frame is complete.
    this.#message = 'text'
    this.#gathered += head.total
    this.#frames.push(frame)
    this.#payloads.push(unmasked(frame.subarray(head.total - head.size), head.mask))
    if (!head.isLast) return { kind: 'more' }
    const piece = { kind: 'text', frames: this.#frames, payload: Buffer.concat(this.#payloads) } as const
    this.#message = undefined
    this.#frames = []
    this.#payloads = []
    this.#gathered = 0
    return piece
  }

  #passFrame({ total }: FrameHead): { readonly kind: 'more' } {
    this.#passing = total
    return { kind: 'more' }
  }

  /** What was gathered is put back, so that it is passed on first. */
  #giveUp(piece: ClientPiece): ClientPiece {
    this.#isRaw = true
    if (piece.kind === 'unreadable' && this.#gathered > 0) {
      const rest = this.#take(this.#length)
      this.#received.push(Buffer.concat([...this.#frames, rest]))
      this.#length = this.#gathered + rest.length
    }
    this.#frames = []
    this.#payloads = []
    return piece
  }

  /** Whether a frame may come now: a message is continued until its last frame, and only then. */
  #follows({ opcode }: FrameHead): boolean {
    if (opcode >= 8) return opcode <= 10
    return this.#message === undefined ? opcode === 1 || opcode === 2 : opcode === 0
  }

  #head(): FrameHead | 'incomplete' | 'unreadable' {
    if (this.#length < 2) return 'incomplete'
    const bytes = this.#peek(headMax)
    const [first = 0, second = 0] = bytes
    const short = second & 0x7f
    const width = short === 126 ? 2 : short === 127 ? 8 : 0
    // Reserved bits belong to extensions, and a client masks every frame.
    if ((first & 0x70) !== 0 || (second & 0x80) === 0) return 'unreadable'
    const start = 2 + width
    if (bytes.length < start + 4) return 'incomplete'
    const size = width === 0 ? short : width === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
    const opcode = first & 0x0f
    const isLast = (first & 0x80) !== 0
    if (!Number.isSafeInteger(size) || (opcode >= 8 && (size > 125 || !isLast))) return 'unreadable'
    return { isLast, opcode, mask: bytes.subarray(start, start + 4), size, total: start + 4 + size }
  }

  #peek(count: number): Buffer {
    const { chunks } = this.#received
    const [first] = chunks
    if (first && first.length >= count) return first.subarray(0, count)
    return Buffer.concat(chunks.slice(0, count)).subarray(0, count)
  }

  #take(count: number): Buffer {
    const { chunks } = this.#received
    const [only] = chunks
    const all = only && chunks.length === 1 ? only : Buffer.concat(chunks)
    this.#received.clear()
    if (all.length > count) this.#received.push(all.subarray(count))
    this.#length -= count
    return all.subarray(0, count)
  }
}

const headMax = 14

/** A message in more frames than this is not gathered: each takes memory beyond its bytes. */
const framesMax = 16_384

function unmasked(bytes: Buffer, mask: Buffer): Buffer {
  const plain = Buffer.allocUnsafe(bytes.length)
  for (let at = 0; at < bytes.length; at++) plain[at] = (bytes[at] as number) ^ (mask[at & 3] as number)
  return plain
}

/** A text message of a client, in one frame. */
export function textFrame(payload: Buffer): Buffer {
  const mask = randomBytes(4)
  return Buffer.concat([frameHead(0x81, payload.length, 0x80), mask, unmasked(payload, mask)])
}

/** A frame of a server that ends the connection, with the reason. */
export function closeFrame(code: number, reason: string): Buffer {
  const payload = Buffer.alloc(2 + Buffer.byteLength(reason))
  payload.writeUInt16BE(code)
  payload.write(reason, 2)
  return Buffer.concat([frameHead(0x88, payload.length, 0), payload])
}

function frameHead(first: number, size: number, masked: number): Buffer {
  if (size < 126) return Buffer.from([first, masked | size])
  const width = size < 0x10000 ? 2 : 8
  const head = Buffer.alloc(2 + width)
  head[0] = first
  head[1] = masked | (width === 2 ? 126 : 127)
  if (width === 2) head.writeUInt16BE(size, 2)
  else head.writeBigUInt64BE(BigInt(size), 2)
  return head
}

/** Follows the frames of a server, to know where a frame of the proxy may be put. */
export class FrameBoundaries {
  #head: number[] = []
  #left = 0

  /** All bytes that were passed on are whole frames. */
  get isBetween(): boolean {
    return this.#left === 0 && this.#head.length === 0
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#left > 0) {
        const skipped = Math.min(this.#left, chunk.length - at)
        this.#left -= skipped
        at += skipped
      } else {
        this.#head.push(chunk[at++] as number)
        this.#readHead()
      }
    }
  }

  #readHead(): void {
    const [, second] = this.#head
    if (second === undefined) return
    const short = second & 0x7f
    const width = short === 126 ? 2 : short === 127 ? 8 : 0
    const mask = second & 0x80 ? 4 : 0
    if (this.#head.length < 2 + width + mask) return
    const size = width === 0 ? short : this.#head.slice(2, 2 + width).reduce((sum, byte) => sum * 256 + byte, 0)
    this.#left = size
    this.#head = []
  }
}
