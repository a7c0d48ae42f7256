import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { codecs } from '../../../codecs/index.ts'
import { isRecord } from '../../../core/conversation.ts'
import { memberSpan } from '../../../core/json/json-spans.ts'
import { whyNotEmptied } from '../../backup/proof.ts'
import { examineList } from '../../examine-list.ts'
import { fileError } from '../../files/file-error.ts'
import { readRegularFile } from '../../files/regular-file.ts'
import { type JsonDocument, readDocument, repairListIn } from '../../json-document.ts'
import { lostContent } from '../../lost-content.ts'
import type { Peek } from '../../peek.ts'
import type { Examination, StoredConversation } from '../../system.ts'

/** Whether a file is a chat that `/chat save` wrote: a list of contents, or an object with one, under the name of its tag. */
export const isCheckpoint = (peek: Peek): boolean =>
  peek.kind === 'file' && isCheckpointName(peek.name) && start.test(peek.headText())

export const isCheckpointName = (path: string): boolean => name.test(basename(path))

const name = /^checkpoint-(.{1,250})\.json$/

/** The first content is the user's. The program writes the list first, and `authType` after it. */
const start =
  /^\uFEFF?\s{0,99}(?:\{\s{0,99}"history"\s{0,99}:\s{0,99})?\[\s{0,99}\{\s{0,99}(?:"role"\s{0,99}:\s{0,99}"(?:user|model)"\s{0,99},\s{0,99})?"parts"\s{0,99}:\s{0,99}\[/

/** A saved chat. Its title is the tag that the user gave it. */
export function checkpointAt(path: string): StoredConversation {
  const file = basename(path)
  return {
    id: file.replace(/\.json$/, ''),
    title: decoded(name.exec(file)?.[1] ?? file),
    examine: async () => examineCheckpoint(readDocument(path)),
  }
}

function decoded(tag: string): string {
  try {
    return decodeURIComponent(tag)
  } catch {
    return tag
  }
}

/** The program sends the whole list, as it is. */
function examineCheckpoint(document: JsonDocument): Examination {
  const { value, text, path } = document
  const list = isRecord(value) ? value.history : value
  const span = isRecord(value) ? memberSpan(text, 'history') : { start: text.indexOf('['), end: text.trimEnd().length }
  if (!Array.isArray(list) || !span) throw fileError(path, 'it is not a list of contents')
  const { messages: healed, ...found } = examineList(list, { format: 'gemini', for: 'gemini' })
  if (found.repairs.length === 0) return { ...found, notes: [] }
  const dropped = [...found.dropped, ...lostContent(list, healed, found, codecs.gemini.format.root)]
  const whyNot = whyNotEmptied(list, healed)
  if (whyNot !== undefined) return { ...found, dropped, notes: [whyNot] }
  return { ...found, dropped, notes: [], storeRepair: repairListIn(document, span, list, healed) }
}

/** Whether a process with this working directory is in the project of a saved chat. */
export function isInProject(path: string): (folder: string) => boolean {
  const home = dirname(resolve(path))
  const root = join(home, '.project_root')
  const known = existsSync(root) ? readRegularFile(root).toString().trim() : undefined
  return folder =>
    known === undefined ? createHash('sha256').update(folder).digest('hex') === basename(home) : folder === known
}
