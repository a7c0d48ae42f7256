import { statSync } from 'node:fs'
import { basename } from 'node:path'
import type { CodecId } from '../../../codecs/index.ts'
import { isRecord } from '../../../core/conversation.ts'
import { detectFormat } from '../../../heal/detect.ts'
import type { Rejection } from '../../../heal/rejections/rejection.ts'
import { emptyDrawing } from '../../drawing.ts'
import { rawLines } from '../../files/raw-lines.ts'
import { type HeadMessages, headMessages } from '../../head-messages.ts'
import { readDocument } from '../../json-document.ts'
import { parseLine } from '../../line-file.ts'
import { type Peek, peekAt } from '../../peek.ts'
import type { ConversationStore, Examination, RejectionExamination, System } from '../../system.ts'
import { runtimes, worksNear } from '../../works-near.ts'
import { examineDocument, examineRejectedDocument } from './document.ts'
import { isHistory } from './is-message.ts'
import { examineMessages, examineRejectedMessages } from './lines.ts'

/**
 * Files with a history in a known format, of no particular system. It comes last, because the other systems are more
 * specific.
 */
export const plainFiles: System = {
  id: 'plain',
  title: 'plain file',
  places: () => [],
  isOfNoProgram: true,
  // A user's own program that opens, appends and closes: the file is not open while its tool runs.
  program: { processes: [{ names: runtimes, isRuntime: true, isOfOpenCalls: true, worksIn: worksNear }] },
  recognises: peek => sortOf(peek) !== undefined,
  open: async path => storeAt(path),
}

/** What a file is: one document, or lines in a format. */
type Sort = 'document' | CodecId

function sortOf(peek: Peek): Sort | undefined {
  const found = headMessages(peek)
  if (!found) return longLine(peek)
  if (found.messages.length > 0 && !isHistory(found.messages)) return undefined
  if (isSingle(found) && !linesName.test(peek.name)) return undefined
  if (found.form === 'lines') return detectFormat(found.messages.filter(isRecord))
  const format = found.messages.every(isRecord) ? detectFormat(found.messages) : undefined
  if (found.messages.length === 0) return isBegun(found, peek) ? 'document' : undefined
  return format === undefined ? undefined : 'document'
}

/** One object and nothing else: only the file name shows that more lines would follow. */
const isSingle = ({ form, messages, isAll }: HeadMessages): boolean =>
  form === 'lines' && isAll && messages.length === 1

const linesName = /\.(jsonl|ndjson)$/

/** Whether the head of the file ends inside the first message. */
const isBegun = ({ isAll }: HeadMessages, peek: Peek): boolean => !isAll && longMessage.test(peek.headText())

const longMessage = /\[\s*\{\s*(?:"(?:id|type|name|createdAt)"\s*:\s*"[^"]{0,200}"\s*,\s*)*"role"\s*:/

/** The format of lines of which the first is longer than the head that was read. */
function longLine(peek: Peek): CodecId | undefined {
  if (peek.kind !== 'file' || !linesName.test(peek.name) || peek.headText().includes('\n')) return undefined
  for (const line of rawLines(peek.path)) {
    const message = parseLine(line)
    return isRecord(message) && isHistory([message]) ? detectFormat([message]) : undefined
  }
  return undefined
}

function storeAt(path: string): ConversationStore {
  if (statSync(path).size === 0) return emptied(path)
  const sort = sortOf(peekAt(path))
  const examine: () => Examination =
    sort === undefined || sort === 'document' ? opened(path) : () => examineMessages(path, sort)
  const examineRejection = async (rejection: Rejection): Promise<RejectionExamination> =>
    sort === undefined || sort === 'document'
      ? examineRejectedDocument(readDocument(path), rejection)
      : examineRejectedMessages(path, sort, rejection)
  return {
    conversations: () => [{ id: basename(path), examine: async () => examine(), examineRejection }],
    close() {},
  }
}

/** What is left of lines of which none belonged to a conversation. */
function emptied(path: string): ConversationStore {
  const counts = { calls: 0, results: 0, orphans: 0, unanswered: 0 }
  const found = { repairs: [], remaining: [], dropped: [], notes: [] }
  const nothing: Examination = { state: 'healthy', counts, ...found, draw: () => emptyDrawing }
  return { conversations: () => [{ id: basename(path), examine: async () => nothing }], close() {} }
}

function opened(path: string): () => Examination {
  const document = readDocument(path)
  return () => examineDocument(document)
}
