import { readStream } from './read-stream.ts'

/** Decodes a content encoding. Undefined if the encoding is unknown or wrong, or the result is longer than `bytesMax`. */
export async function decodeBytes(
  bytes: Uint8Array<ArrayBuffer>,
  encoding: string,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const format = formats[encoding.trim().toLowerCase()]
  if (format === undefined) return undefined
  try {
    const decoded = await readStream(new Blob([bytes]).stream().pipeThrough(decoder(format)), bytesMax)
    if (decoded instanceof Uint8Array) return decoded
    // The rest is not needed.
    await decoded.cancel()
  } catch {}
  return undefined
}

export const canDecode = (encoding: string): boolean => formats[encoding.trim().toLowerCase()] !== undefined

const formats: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null), {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'brotli',
  zstd: 'zstd',
})

type Decoder = Parameters<ReadableStream<Uint8Array>['pipeThrough']>[0]

/** Older hosts decode these only with Node's own library, if at all. */
const ofNode = { brotli: 'createBrotliDecompress', zstd: 'createZstdDecompress' } as const

function decoder(format: string): Decoder {
  const builtin = globalThis.process?.getBuiltinModule
  if (builtin && (format === 'brotli' || format === 'zstd'))
    return builtin('node:stream').Duplex.toWeb(builtin('node:zlib')[ofNode[format]]()) as unknown as Decoder
  return new DecompressionStream(format as 'gzip') as unknown as Decoder
}
