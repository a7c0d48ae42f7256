import { createRequire } from 'node:module'
import type { DatabaseSync as NodeDatabase } from 'node:sqlite'
import zlib from 'node:zlib'
import { needsNewerNode } from './old-node.ts'

/** SQLite of Node. On a version without it, only the stores in SQLite cannot be opened. */
export const DatabaseSync: typeof NodeDatabase = databaseOfNode()
export type DatabaseSync = NodeDatabase

function databaseOfNode(): typeof NodeDatabase {
  try {
    return createRequire(import.meta.url)('node:sqlite').DatabaseSync
  } catch (error) {
    return class {
      constructor() {
        throw needsNewerNode('a store in SQLite', error)
      }
    } as unknown as typeof NodeDatabase
  }
}

const withoutZstd = (): never => {
  throw needsNewerNode('a session that is compressed with Zstandard')
}

type Zstd = 'createZstdCompress' | 'createZstdDecompress' | 'zstdCompressSync' | 'zstdDecompressSync'

/** Zstandard of Node, with the same error on a version without it. */
export const zstd: Pick<typeof zlib, Zstd> = {
  createZstdCompress: zlib.createZstdCompress ?? withoutZstd,
  createZstdDecompress: zlib.createZstdDecompress ?? withoutZstd,
  zstdCompressSync: zlib.zstdCompressSync ?? withoutZstd,
  zstdDecompressSync: zlib.zstdDecompressSync ?? withoutZstd,
}
