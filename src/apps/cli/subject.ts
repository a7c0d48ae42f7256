import { AntiphonError } from '../../core/errors.ts'
import { failureReason, fileError } from '../../doctor/files/file-error.ts'
import type { Parse } from '../../doctor/files/parse-json.ts'
import { type ReadHistory, readHistory } from '../../doctor/files/read-history.ts'
import { complaint, errorJson } from './complaint.ts'
import { exitWith } from './exit.ts'
import type { Flags } from './flags.ts'

/** What a command works on: an input, and what is decided about it. */
export type Subject = ReadHistory

export const toStdout = (line: string): void => void process.stdout.write(line)
export const toStderr = (line: string): void => void process.stderr.write(line)

/**
 * Visits all files; one that cannot be read costs a line and the exit code, and the others go on. With --json it is an
 * object too, among the others: `told` says where those go.
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
