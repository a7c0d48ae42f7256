import { brotliDecompressSync, constants, unzipSync } from 'node:zlib'
import { type AnswerOpening, type Opening, openingFor } from '../fetch/answer-opening.ts'
import { isPlain } from '../fetch/body-text.ts'
import { headerIn } from './pass-headers.ts'

/** The beginning of an answer as it arrives from an upstream, compressed or not. */
export class HeldOpening {
  readonly #opening: AnswerOpening
  readonly #unpack: ((bytes: Buffer) => Buffer) | undefined
  #packed: Buffer[] = []
  #read = 0

  /** Undefined for an answer that is passed on without being read. */
  static of(headers: readonly string[]): HeldOpening | undefined {
    const encoding = headerIn(headers, 'content-encoding') ?? ''
    const unpack = unpackers[encoding.trim().toLowerCase()]
    const opening = isPlain(encoding) || unpack ? openingFor(headerIn(headers, 'content-type')) : undefined
    return opening && new HeldOpening(opening, unpack)
  }

  private constructor(opening: AnswerOpening, unpack: ((bytes: Buffer) => Buffer) | undefined) {
    this.#opening = opening
    this.#unpack = unpack
  }

  /** The text of the error, if the answer begins with one. */
  get error(): string {
    return this.#opening.error
  }

  push(chunk: Buffer): Opening {
    if (!this.#unpack) return this.#opening.push(chunk)
    this.#packed.push(chunk)
    // Each chunk is decompressed together with all chunks before it.
    if (this.#packed.length > packedMax) return 'answer'
    try {
      const plain = this.#unpack(Buffer.concat(this.#packed))
      const fresh = plain.subarray(this.#read)
      this.#read = plain.length
      return fresh.length === 0 ? 'undecided' : this.#opening.push(fresh)
    } catch {
      return 'answer'
    }
  }

  end(): Opening {
    return this.#opening.end()
  }
}

const packedMax = 50
const maxOutputLength = 1024 * 1024

const unzip = (bytes: Buffer): Buffer => unzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength })

/** Decompresses as much of an incomplete answer as possible. */
const unpackers: Readonly<Record<string, ((bytes: Buffer) => Buffer) | undefined>> = Object.assign(
  Object.create(null),
  {
    gzip: unzip,
    'x-gzip': unzip,
    deflate: unzip,
    br: (bytes: Buffer) =>
      brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH, maxOutputLength }),
  },
)
