import { type CodecId, codecs } from '../../../codecs/index.ts'
import { memberSpans, type TextSpan } from '../../../core/json/json-spans.ts'
import { detectFormat } from '../../../heal/detect.ts'
import type { Rejection } from '../../../heal/rejections/rejection.ts'
import { formatOfHistory, readBody } from '../../../heal/request/request-body.ts'
import { whyNotWritten } from '../../backup/proof.ts'
import { examineList } from '../../examine-list.ts'
import { fileError } from '../../files/file-error.ts'
import { type JsonDocument, repairListIn } from '../../json-document.ts'
import { lostContent } from '../../lost-content.ts'
import { repairList } from '../../rejected/repair-list.ts'
import type { Examination, RejectionExamination } from '../../system.ts'

/** A history in a document: the whole of it, or the list in a request. */
interface PlainHistory {
  readonly messages: readonly unknown[]
  readonly format: CodecId
  readonly key?: string
  readonly model?: string
  readonly continues?: boolean
}

/** Examines a document that is a list of messages, or a request with one. */
export function examineDocument(document: JsonDocument): Examination {
  const history = historyIn(document)
  const { messages, format, key, model, continues } = history
  const { messages: healed, ...found } = examineList(messages, {
    format,
    ...(model === undefined ? {} : { model }),
    ...(continues ? { continues } : {}),
  })
  const dropped = [...found.dropped, ...lostContent(messages, healed, found, codecs[format].format.root)]
  if (found.repairs.length === 0) return { ...found, dropped, notes: [] }
  const whyNot = whyNotWritten(messages, healed, codecs[format])
  if (whyNot !== undefined) return { ...found, dropped, notes: [whyNot] }
  return {
    ...found,
    dropped,
    notes: [],
    storeRepair: repairListIn(document, listSpan(document, key), messages, healed),
  }
}

/** What would be repaired in a document after a rejection. Only the list of messages is changed. */
export function examineRejectedDocument(document: JsonDocument, rejection: Rejection): RejectionExamination {
  const { messages, format, key } = historyIn(document)
  const { healed, ...found } = repairList(messages, format, rejection)
  return healed === undefined
    ? found
    : { ...found, storeRepair: repairListIn(document, listSpan(document, key), messages, healed) }
}

function historyIn({ path, value }: JsonDocument): PlainHistory {
  if (Array.isArray(value)) return { messages: value, format: formatOf(path, value, detectFormat(value)) }
  const body = readBody(value)
  if (!body || !Array.isArray(body.history)) throw fileError(path, 'it is neither a list of messages nor a request')
  const { key, history, model, continues } = body
  const format = formatOf(path, history, formatOfHistory(body))
  return { messages: history, format, key, ...(model === undefined ? {} : { model }), continues }
}

/** An empty list fits any format. */
function formatOf(path: string, { length }: readonly unknown[], format: CodecId | undefined): CodecId {
  if (length === 0) return format ?? 'openai-chat'
  if (format === undefined) throw fileError(path, 'its messages are not in a known format')
  return format
}

function listSpan({ text }: JsonDocument, key: string | undefined): TextSpan {
  if (key === undefined) return { start: text.indexOf('['), end: text.trimEnd().length }
  const members = memberSpans(text, text.indexOf('{'))
  return members.findLast(member => JSON.parse(member.key) === key) as TextSpan
}
