import { AntiphonError } from '../errors.ts'
import type { Parse } from '../files/parse-json.ts'
import { type ReadHistory, readHistory } from '../files/read-history.ts'
import { reasonOf, unreadable } from '../unreadable.ts'
import { complaint } from './complaint.ts'
import { exitWith } from './exit.ts'
import type { Flags } from './flags.ts'

/** What a command works on: an input, and what is decided about it. */
export type Subject = ReadHistory

/** Visits all files; one that cannot be read costs a line and the exit code, and the others go on. */
export async function eachSubject(
  files: readonly string[],
  flags: Flags,
  parse: Parse,
  see: (subject: Subject) => void,
): Promise<void> {
  const { json: _json, all: _all, ...chosen } = flags
  for (const file of files.length === 0 ? ['-'] : files) {
    try {
      see(await readHistory(file, chosen, parse))
    } catch (error) {
      process.stderr.write(`${complaint(AntiphonError.is(error) ? error : unreadable(file, reasonOf(error)))}\n`)
      exitWith('unreadable')
    }
  }
}
