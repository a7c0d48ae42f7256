import { fileError } from '../../files/file-error.ts'
import { readRegularFile } from '../../files/regular-file.ts'
import { examineLinked } from '../../linked/examine-linked.ts'
import { newLook } from '../../look-copy.ts'
import type { Database } from '../../sqlite.ts'
import type { Drawing, Examination } from '../../system.ts'
import { openclawFormat } from '../openclaw/index.ts'
import { exportTranscript, type UnpackedText, writeTranscript } from './transcript.ts'

/**
 * Judges a transcript as the file that it would have been in earlier versions: its events are the same lines, of which
 * the last one is where the program continues.
 */
export async function examineTranscript(
  database: Database,
  session: string,
  path: string,
  unpacked: UnpackedText,
): Promise<Examination> {
  const file = newLook('transcript.jsonl')
  try {
    exportTranscript(database.look, session, file.path, unpacked)
    const { storeRepair, draw: _, ...found } = examineLinked(file.path, openclawFormat)
    const examined = {
      ...found,
      ...(found.since ? { since: placed(found.since) } : {}),
      repairs: found.repairs.map(placed),
      remaining: found.remaining.map(placed),
      dropped: found.dropped.map(placed),
      draw: () => drawTranscript(database, session, unpacked),
    }
    if (!storeRepair) return examined
    const before = linesOf(file.path)
    await storeRepair.apply()
    const after = linesOf(file.path)
    return {
      ...examined,
      storeRepair: {
        files: database.files,
        isShared: true,
        apply: async assertUnused =>
          database.change(change => {
            const now = newLook('transcript.jsonl')
            try {
              exportTranscript(change, session, now.path, unpacked)
              if (linesOf(now.path).join('\n') !== before.join('\n'))
                throw fileError(
                  path,
                  `session ${session} changed during the repair, so nothing was written`,
                  'close its program and try again',
                )
            } finally {
              now.remove()
            }
            writeTranscript(change, session, before, after)
          }, assertUnused),
      },
    }
  } finally {
    file.remove()
  }
}

const linesOf = (path: string): string[] =>
  readRegularFile(path)
    .toString()
    .split('\n')
    .filter(line => line.trim() !== '')

/** Events are counted from 0. */
const placed = <T extends { readonly at: string }>(found: T): T => ({
  ...found,
  at: found.at.replace(/^line (\d+)/, (_, line) => `event ${Number(line) - 1}`),
})

function drawTranscript(database: Database, session: string, unpacked: UnpackedText): Drawing {
  const file = newLook('transcript.jsonl')
  try {
    exportTranscript(database.look, session, file.path, unpacked)
    const drawing = examineLinked(file.path, openclawFormat).draw?.() as Drawing
    return {
      ...drawing,
      repairs: drawing.repairs.map(placed),
      remaining: drawing.remaining.map(placed),
      records: drawing.records.map(placed),
    }
  } finally {
    file.remove()
  }
}
