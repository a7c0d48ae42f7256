import { readTape } from '../../observe/tape/read-tape.ts'
import type { TapeDocument } from './protocol.ts'

/** The document that the text of a tape is, wherever it was read. */
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
