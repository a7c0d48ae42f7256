import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { valueAt } from '../../../core/invariant.ts'
import { longestIncreasingSubsequence } from '../../../core/longest-increasing-subsequence.ts'
import { link, mirror, setOwnerAndTimes, writeLike } from '../../files/mirror-folder.ts'
import { originsOf, printLike } from '../../files/print-like.ts'
import type { AssertUnused } from '../../files/swap-file.ts'
import { swapFolder } from '../../files/swap-folder.ts'
import type { RecordFields } from '../../record-format.ts'
import { type AgentFolder, type MessageFile, messageFileName, messagesFolder, stampOf } from './agent-folder.ts'

/** A file of a message after the repair. */
export interface PlannedMessage {
  readonly name: string
  /** The file whose bytes it has, or whose owner and times. */
  readonly from: string
  /** Its text, unless it is that of `from`. */
  readonly text?: string
}

/**
 * The files of the repaired messages. The program reads them in the order of their numbers and continues after the last
 * one: gaps are allowed, so a number changes only where a message has no room before it.
 */
export function plannedMessages(
  { messages: files, lastRemoved }: AgentFolder,
  history: readonly unknown[],
  healed: readonly unknown[],
): PlannedMessage[] {
  const origins = originsOf(history, healed)
  const standing = origins.filter(origin => origin !== undefined)
  const staying = new Set(longestIncreasingSubsequence(standing, origin => origin))
  let last = lastRemoved
  let near = 0
  return healed.map((message, index) => {
    const origin = origins[index]
    const before = origin === undefined ? undefined : valueAt(files, origin)
    last = before && staying.has(origin as number) ? Math.max(before.number, last + 1) : last + 1
    near = origin ?? near
    return before
      ? plannedMessage(before, { [before.key]: message }, last)
      : plannedMessage(valueAt(files, near), newFields(valueAt(files, near), message), last)
  })
}

/** A new message has the times of the one before it. */
const newFields = ({ value }: MessageFile, message: unknown): RecordFields =>
  'redact_message' in value ? { message, redact_message: null } : { message }

function plannedMessage(
  { name: from, text, value }: MessageFile,
  fields: RecordFields,
  number: number,
): PlannedMessage {
  const end = text.trimEnd().length
  const after = { ...value, ...fields, message_id: number }
  const now = printLike({ text: text.slice(0, end), value }, after) + text.slice(end)
  const name = messageFileName(number)
  return now === text ? { name, from } : { name, from, text: now }
}

/** Replaces the folder of an agent; what does not change is linked into the new one. */
export function writeMessages(
  path: string,
  { stamp, messages: files, bad }: AgentFolder,
  planned: readonly PlannedMessage[],
  assertUnused: AssertUnused | undefined,
): void {
  const old = join(path, messagesFolder)
  const changed = new Set([...files, ...bad].map(({ name }) => name))
  const build = (folder: string): void => {
    const fresh = join(folder, messagesFolder)
    mirror(path, folder, name => name !== messagesFolder)
    mkdirSync(fresh)
    mirror(old, fresh, name => !changed.has(name))
    for (const { name, from, text } of planned) {
      if (text === undefined) link(join(old, from), join(fresh, name))
      else writeLike(join(fresh, name), text, join(old, from))
    }
    setOwnerAndTimes(fresh, old)
    setOwnerAndTimes(folder, path)
  }
  swapFolder(path, build, place => stampOf(place) === stamp, assertUnused)
}
