import { type CallPart, isRecord, type Part, type ResultPart } from '../../../core/conversation.ts'
import { memberSpan } from '../../../core/json/json-spans.ts'
import { recordsIn } from '../../arrange.ts'
import { whyNotEmptied } from '../../backup/proof.ts'
import { drawExamined, type ExaminedRecords, examinationFrom, examineEntries } from '../../examine-entries.ts'
import { fileError } from '../../files/file-error.ts'
import { type JsonDocument, repairListIn } from '../../json-document.ts'
import { uuidFrom } from '../../linked/new-ids.ts'
import { type RecordFields, storeFormat, withWholeContents } from '../../record-format.ts'
import { reportText } from '../../report-text.ts'
import type { DroppedRecord, Examination } from '../../system.ts'
import { isSent, messageContents } from './message.ts'

/**
 * Judges the messages of a session. `compacted` of those that are sent are not sent as they are: a change there would make the
 * program forget its shorter form of them.
 */
export function examineMessages(document: JsonDocument, compacted: number): Examination {
  const { path, value, text } = document
  const list: unknown = isRecord(value) ? value.messages : undefined
  const span = memberSpan(text, 'messages')
  if (!Array.isArray(list) || !span) throw fileError(path, 'it has no messages')
  const first = firstAfter(list, compacted)
  const examine = (): ExaminedRecords =>
    examineEntries(list, {
      format: storeFormat({
        root: 'messages',
        exactIds: true,
        locate: ({ origin }, part) => placeOf(part?.slot ?? origin ?? -1),
      }),
      dialect: 'anthropic',
      isPartial: first > 0,
      read: (message: unknown, record) => (record < first ? [] : messageContents(message)),
    })
  const show = (record: number): Omit<DroppedRecord, 'rule'> => ({
    at: placeOf(record),
    content: reportText(JSON.stringify(list[record])),
  })
  const examined = examine()
  const found: Examination = {
    ...examinationFrom(examined, show),
    draw: () => withWholeContents(() => drawExamined(examine(), show)),
  }
  if (found.repairs.length === 0) return found
  const healed = [...recordsIn(examined.places, list.length)].map(one => {
    const message = list[one.record] as RecordFields
    if (one.kind === 'kept') return message
    return one.kind === 'made' ? answer(message, one.call, one.result) : holding(message, one.parts, one.copy)
  })
  const whyNot = whyNotEmptied(list, healed)
  return whyNot === undefined
    ? { ...found, storeRepair: repairListIn(document, span, list, healed) }
    : { ...found, notes: [whyNot] }
}

const placeOf = (record: number): string => `messages[${record}]`

/** The index of the first message after as many that are sent; 0 if there are fewer, as the program then sends all. */
function firstAfter(list: readonly unknown[], count: number): number {
  let left = count
  for (const [index, message] of list.entries()) {
    if (left === 0) return index
    if (isSent(message)) left--
  }
  return left === 0 ? list.length : 0
}

/** The message with these of its blocks. The program numbers the parts of a message in this way. */
function holding(message: RecordFields, parts: readonly Part[], copy: number): RecordFields {
  const { id, content } = message
  const blocks = Array.isArray(content) ? content : undefined
  return {
    ...message,
    ...(copy > 0 && typeof id === 'string' && { id: `${id}_part_${copy}` }),
    ...(blocks && {
      content: parts.flatMap(part => (typeof part.raw === 'number' ? [withId(blocks[part.raw], part)] : [])),
    }),
  }
}

/** A call without an id gets one, and its result the same. */
function withId(block: unknown, part: Part): unknown {
  if ((part.kind !== 'call' && part.kind !== 'result') || !isRecord(block)) return block
  const key = part.kind === 'call' ? 'id' : 'tool_use_id'
  return block[key] === part.id ? block : { ...block, [key]: part.id }
}

/** An answer in the form of those that the program makes for its requests. */
const answer = ({ id, ts }: RecordFields, call: CallPart, { content }: ResultPart): RecordFields => ({
  id: uuidFrom(String(id), call.id),
  role: 'user',
  content: [
    {
      ...{ type: 'tool_result', tool_use_id: call.id, name: call.name },
      content: [{ type: 'text', text: String(content) }],
      is_error: true,
    },
  ],
  ...(ts !== undefined && { ts }),
})
