import { createBrotliDecompress, createUnzip, createZstdDecompress } from 'node:zlib'
import type { Listener } from '../fetch/tap.ts'
import { isPlain } from '../fetch/text-of.ts'

/** A listener that hears of a body what stands behind its encoding. One whose encoding is unknown is heard as cut. */
export function decodedListener(listener: Listener, encoding: string): Listener {
  if (isPlain(encoding)) return listener
  const open = decoders[encoding.trim().toLowerCase()]
  if (!open) return { chunk: () => {}, end: () => listener.end('cut') }
  const decoder = open()
  decoder.on('data', chunk => listener.chunk(chunk))
  decoder.on('end', () => listener.end('whole'))
  decoder.on('error', () => listener.end('cut'))
  return {
    chunk: piece => {
      decoder.write(piece as Buffer)
    },
    end: how => {
      if (how === 'whole') decoder.end()
      else decoder.destroy(new Error('the answer was cut'))
    },
  }
}

const decoders: Readonly<Record<string, typeof createUnzip | typeof createBrotliDecompress | undefined>> =
  Object.assign(Object.create(null), {
    gzip: createUnzip,
    'x-gzip': createUnzip,
    deflate: createUnzip,
    br: createBrotliDecompress,
    zstd: createZstdDecompress,
  })
