import { AntiphonError } from '../../../core/errors.ts'
import { mayHoldLongNumbers } from '../../../core/json/exact-json.ts'
import { failureReason, fileError } from '../../../doctor/files/file-error.ts'
import type { Parse } from '../../../doctor/files/parse-json.ts'
import { repair } from '../../../heal/heal.ts'
import { readableNumbers } from '../../../heal/readable-numbers.ts'
import { errorJson, errorLine } from '../error-line.ts'
import { exitWith } from '../exit.ts'
import { type Flags, namedModel } from '../flags.ts'
import { withoutPasswords } from '../without-passwords.ts'
import type { Subject } from './found-subject.ts'
import { InputProgress } from './progress.ts'
import { readSubjects } from './read-subjects.ts'
import type { EndedLine } from './request-lines.ts'

export type { Subject }

export const toStdout = (line: string): void => void process.stdout.write(line)
export const toStderr = (line: string): void => void process.stderr.write(line)

/** What a command does with an input that holds several histories. */
export interface SubjectVisitor {
  /** What is done with a history, such as `checking`. */
  readonly work: string
  /** `begin` names further work on it, such as `writing`. */
  visit(subject: Subject, begin: (work: string) => void): void | Promise<void>
  /** A line of JSONL with requests was read. */
  line?(line: EndedLine): void | Promise<void>
  /** The end of a file, or of what could be read of it. */
  end?(file: string, isWhole: boolean): void | Promise<void>
}

/** A long number in place of a message or of a call is a text for all commands. */
function withReadableNumbers(subject: Subject): Subject {
  const { input, options } = subject
  if (!mayHoldLongNumbers(input.text)) return subject
  const history = readableNumbers(subject.history, one => repair(one, options))
  return history === subject.history ? subject : { ...subject, history, input: { ...input, history } }
}

/**
 * Reads all files. A file that cannot be read is reported in one line and sets the exit code, and the next file follows. With --json it is
 * also reported as an object, written by `writeLine`.
 */
export async function eachSubject(
  files: readonly string[],
  flags: Flags,
  parse: Parse,
  visitor: SubjectVisitor,
  writeLine: (line: string) => void = toStdout,
): Promise<void> {
  const { json: _json, all: _all, pick, ...given } = flags
  const model = given.model ?? namedModel()
  const chosen = model === undefined ? given : { ...given, model }
  for (const file of files.length === 0 ? ['-'] : files) {
    const progress = new InputProgress(file)
    const report = (error: unknown): void => {
      progress.clear()
      const known = AntiphonError.is(error) ? error : fileError(file, failureReason(error))
      if (flags.json) writeLine(`${JSON.stringify({ file: withoutPasswords(file), ...errorJson(known) })}\n`)
      if (!flags.json || writeLine !== toStderr) toStderr(`${errorLine(known)}\n`)
      exitWith('unreadable')
    }
    let isWhole = false
    try {
      for await (const found of readSubjects(file, chosen, parse, pick, progress)) {
        if ('history' in found) {
          progress.clear()
          const isLine = found.foundIn?.replace !== undefined
          const begin = (work: string): void => {
            if (!isLine) progress.begin(work, found.input.bytes.length)
          }
          begin(visitor.work)
          await visitor.visit(withReadableNumbers(found), begin)
        } else {
          progress.read(found.bytesRead, found.bytesTotal)
          if (found.error !== undefined) report(found.error)
          await visitor.line?.(found)
        }
      }
      isWhole = true
    } catch (error) {
      report(error)
    }
    progress.clear()
    try {
      await visitor.end?.(file, isWhole)
    } catch (error) {
      report(error)
    }
  }
}
