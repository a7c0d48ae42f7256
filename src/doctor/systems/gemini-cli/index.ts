import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { isRecord } from '../../../core/conversation.ts'
import { valueAt } from '../../../core/invariant.ts'
import { memberSpan } from '../../../core/json/json-spans.ts'
import { whyNotEmptied } from '../../backup/proof.ts'
import { examinationFrom } from '../../examine-entries.ts'
import { type JsonDocument, readDocument, repairListIn } from '../../json-document.ts'
import { type Peek, peekAt } from '../../peek.ts'
import type { RecordFields } from '../../record-format.ts'
import type { Examination, System } from '../../system.ts'
import { titled } from '../../titles/stored-title.ts'
import { checkpointAt, isCheckpoint, isCheckpointName, isInProject } from './checkpoint.ts'
import { examineMessages, examineSession, healedFrom, sessionTitle } from './examine.ts'
import { messageContents } from './message.ts'

/** Sessions of Gemini CLI: a log of messages, or one document in versions of 2025. And chats that were saved under a tag. */
export const geminiCli: System = {
  id: 'gemini-cli',
  title: 'Gemini CLI',
  places: ({ home, folder, environment: { GEMINI_CLI_HOME: own } }) => [
    join(own ? resolve(folder, own) : home, '.gemini', 'tmp'),
  ],
  recognises: peek => projectHashIn(peek) !== undefined || isCheckpoint(peek),
  program: {
    processes: [
      {
        names: ['gemini', 'gemini-cli', '@google/gemini-cli'],
        worksIn: path => {
          if (isCheckpointName(path)) return isInProject(path)
          // A store that is to be restored may be gone.
          const hash = existsSync(path) ? projectHashIn(peekAt(path)) : undefined
          return folder => createHash('sha256').update(folder).digest('hex') === hash
        },
      },
    ],
  },
  async open(path) {
    if (isCheckpoint(peekAt(path))) return { conversations: () => [checkpointAt(path)], close: () => undefined }
    const isDocument = path.endsWith('.json')
    const examine = async () => (isDocument ? examineDocument(readDocument(path)) : examineSession(path))
    const conversation = { id: basename(path).replace(/\.jsonl?$/, ''), examine }
    return { conversations: () => [conversation], close: () => undefined }
  },
}

/** The hash of the project's folder, which every session begins with. */
function projectHashIn(peek: Peek): string | undefined {
  if (peek.kind !== 'file' || !/\.jsonl?$/.test(peek.name)) return undefined
  return header.exec(peek.headText())?.[1]
}

const header =
  /^\s{0,9}\{\s{0,9}"sessionId"\s{0,9}:\s{0,9}"[^"]{1,200}"\s{0,9},\s{0,9}"projectHash"\s{0,9}:\s{0,9}"([^"]{1,200})"/m

/** A session that is one document, until the program resumes it the next time. */
function examineDocument(document: JsonDocument): Examination {
  const { value, text } = document
  const list = isRecord(value) && Array.isArray(value.messages) ? value.messages : []
  const messages = list.map((message: unknown) => (isRecord(message) ? message : {}))
  const entries = messages.map((message, index) => ({
    id: String(index),
    at: `messages[${index}]`,
    value: messageContents(message),
  }))
  const judged = examineMessages(entries)
  const found = {
    ...examinationFrom(judged.examined, record => ({
      at: valueAt(entries, record).at,
      content: JSON.stringify(list[record]),
    })),
    ...titled(sessionTitle(isRecord(value) ? value.summary : undefined, entries)),
  }
  const span = memberSpan(text, 'messages')
  if (found.repairs.length === 0 || !span) return found
  const whole = new Map(
    list.map((message: unknown, index): [string, RecordFields] => [String(index), message as RecordFields]),
  )
  const healed = healedFrom(entries, judged, whole)
  const whyNot = whyNotEmptied(list, healed)
  if (whyNot !== undefined) return { ...found, notes: [whyNot] }
  return { ...found, storeRepair: repairListIn(document, span, list, healed) }
}
