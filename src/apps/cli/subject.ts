import { AntiphonError } from '../../core/errors.ts'
import { failureReason, fileError } from '../../doctor/files/file-error.ts'
import type { Parse } from '../../doctor/files/parse-json.ts'
import { type ReadHistory, readHistory } from '../../doctor/files/read-history.ts'
import { complaint, errorJson } from './complaint.ts'
import { exitWith } from './exit.ts'
import type { Flags } from './flags.ts'

/** What a command works on: an input, and the plan for it. */
export type Subject = ReadHistory

export const toStdout = (line: string): void => void process.stdout.write(line)
export const toStderr = (line: string): void => void process.stderr.write(line)

/**
 * Reads all files. A file that cannot be read is reported in one line and sets the exit code, and the next file follows. With --json it is
 * also reported as an object, written by `told`.
 */
export async function eachSubject(
  files: readonly string[],
  flags: Flags,
  parse: Parse,
  see: (subject: Subject) => void,
  told: (line: string) => void = toStdout,
): Promise<void> {
  const { json: _json, all: _all, ...chosen } = flags
  for (const file of files.length === 0 ? ['-'] : files) {
    try {
      see(await readHistory(file, chosen, parse))
    } catch (error) {
      const known = AntiphonError.is(error) ? error : fileError(file, failureReason(error))
      if (flags.json) told(`${JSON.stringify({ file, ...errorJson(known) })}\n`)
      if (!flags.json || told !== toStderr) toStderr(`${complaint(known)}\n`)
      exitWith('unreadable')
    }
  }
}
