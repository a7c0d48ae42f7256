import { fstatSync, writeSync } from 'node:fs'

/**
 * Makes sure that output to a file is written to its end, or fails. Node writes with one call, and does not look at how much was written: on a full
 * disk, or at a limit on file sizes, the output would be cut without an error.
 */
export function guardFile(stream: NodeJS.WriteStream & { fd: number }): void {
  if (!fstatSync(stream.fd).isFile()) return
  stream._write = (chunk: Buffer, _encoding, done) => {
    try {
      for (let at = 0; at < chunk.length; ) at += writeSync(stream.fd, chunk, at)
      done()
    } catch (error) {
      done(error as Error)
    }
  }
}
