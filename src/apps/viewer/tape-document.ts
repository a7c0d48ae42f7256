import { readTape } from '../../observe/tape/read-tape.ts'
import type { TapeDocument } from './protocol.ts'

/** Parses the text of a tape as a document. */
export function tapeDocument(name: string, text: string): TapeDocument {
  const { heads, entries, faults, cut } = readTape(text)
  return {
    kind: 'tape',
    name,
    entries,
    redacted: heads.every(({ redacted }) => redacted),
    faults: [
      ...faults.map(({ line, reason }) => `line ${line}: ${reason}`),
      ...(cut ? ['the last line is cut off'] : []),
    ],
  }
}
