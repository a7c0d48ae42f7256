import { createBrotliDecompress, createUnzip } from 'node:zlib'
import { isPlain } from '../fetch/body-text.ts'
import type { ResponseListener } from '../fetch/tap.ts'

/** A listener that gets the decoded body. With an unknown encoding the body is reported as cut. */
export function decodedListener(listener: ResponseListener, encoding: string): ResponseListener {
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
    // Node 20 does not have it.
    zstd: process.getBuiltinModule('node:zlib').createZstdDecompress,
  })
