import type { CallPart, Message, Part, ResultPart } from '../../../core/conversation.ts'
import { valueAt } from '../../../core/invariant.ts'
import { drawExamined, type ExaminedRecords, examinationFrom, examineEntries } from '../../examine-entries.ts'
import { fileError } from '../../files/file-error.ts'
import { printLike } from '../../files/print-like.ts'
import type { JudgeFormat } from '../../judge.ts'
import { type RecordFields, storeFormat, withWholeContents } from '../../record-format.ts'
import { reportText } from '../../report-text.ts'
import type { Database } from '../../sqlite.ts'
import type { DroppedRecord, Examination } from '../../system.ts'
import { agentMessage, isKnown, lastSummary, readMessage } from './messages.ts'
import { readThread, type ThreadData, writeThread } from './thread-data.ts'

/** Judges a thread. Results are stored in the message of their calls, by their ids. */
export function examineThread(database: Database, id: string, place: string): Examination {
  const before = readThread(database.look, id, place)
  if (before.value.version !== version) return notExamined(before)
  const elements = elementsOf(before, place)
  const from = lastSummary(elements)
  const isSent = (element: unknown, record: number): boolean => record >= from || !agentMessage(element)
  const examined = examineEntries(elements, {
    ...format,
    read: (element, record) => (isSent(element, record) ? readMessage(element) : []),
  })
  const show = (record: number): Omit<DroppedRecord, 'rule'> => ({
    at: atElement(record),
    content: reportText(JSON.stringify(valueAt(elements, record))),
  })
  const found: Examination = {
    ...examinationFrom(examined, show),
    dropped: droppedParts(elements, examined),
    draw: () => withWholeContents(() => drawExamined(examineEntries(elements, format), show)),
  }
  if (found.repairs.length === 0) return found
  return {
    ...found,
    storeRepair: {
      files: database.files,
      isShared: true,
      apply: async assertUnused =>
        database.change(tables => {
          const now = readThread(tables, id, place)
          if (now.hash !== before.hash)
            throw fileError(
              place,
              'it changed during the repair, so nothing was written',
              'close its program and try again',
            )
          const messages = healedElements(elements, examined.judgement.messages, isSent)
          writeThread(tables, id, now, printLike(now, { ...now.value, messages }))
        }, assertUnused),
    },
  }
}

/** The only version of the format that Zed writes now. It converts older ones when it opens them. */
const version = '0.3.0'

const notExamined = ({ value }: ThreadData): Examination => ({
  state: 'healthy',
  counts: { calls: 0, results: 0, orphans: 0, unanswered: 0 },
  repairs: [],
  remaining: [],
  dropped: [],
  notes: [
    `not examined: its format is version ${JSON.stringify(value.version ?? 'none')}, known is ${version}; Zed converts older ones when it opens them`,
  ],
})

function elementsOf({ value: { messages } }: ThreadData, place: string): readonly unknown[] {
  const strange = Array.isArray(messages) ? messages.findIndex(element => !isKnown(element)) : -1
  if (!Array.isArray(messages) || strange >= 0)
    throw fileError(place, strange < 0 ? 'it has no messages' : `${atElement(strange)} is not a message that is known`)
  return messages
}

const atElement = (record: number): string => `messages[${record}]`

const format: JudgeFormat & { read: typeof readMessage } = {
  format: storeFormat({
    root: 'messages',
    exactIds: true,
    locate: ({ origin }, part) => atElement(part?.slot ?? origin ?? -1),
  }),
  dialect: 'anthropic',
  read: readMessage,
}

/** The elements after the repair. Each result is in the message of its call; no element is added or removed. */
function healedElements(
  elements: readonly unknown[],
  healed: readonly Message[],
  isSent: (element: unknown, record: number) => boolean,
): unknown[] {
  const parts = new Map<number, Part[]>()
  let record = -1
  for (const message of healed) {
    if (message.role !== 'tool') record = message.parts[0]?.slot ?? message.origin ?? -1
    const own = parts.get(record) ?? []
    parts.set(record, own)
    for (const part of message.parts) own.push(part)
  }
  return elements.map((element, index) => {
    const agent = agentMessage(element)
    if (!agent || !isSent(element, index)) return element
    const own = parts.get(index) ?? []
    const blocks = own.flatMap(part => (typeof part.raw === 'number' ? [withId(agent.content[part.raw], part)] : []))
    const calls = new Map(own.flatMap(part => (part.kind === 'call' ? [[part.id, part]] : [])))
    const results = own.flatMap(part =>
      part.kind === 'result' ? [[part.id, resultOf(elements, part, calls.get(part.id))] as const] : [],
    )
    return { ...(element as object), Agent: { ...agent, content: blocks, tool_results: Object.fromEntries(results) } }
  })
}

function withId(block: unknown, part: Part): unknown {
  const { ToolUse: call } = block as { ToolUse?: RecordFields }
  return part.kind !== 'call' || !call || call.id === part.id ? block : { ToolUse: { ...call, id: part.id } }
}

/** The stored result, perhaps from another message, or a placeholder. A bare text is read by all versions. */
function resultOf(elements: readonly unknown[], part: ResultPart, call: CallPart | undefined): RecordFields {
  const stored = part.slot === undefined ? undefined : agentMessage(elements[part.slot])?.tool_results[String(part.raw)]
  if (stored) return stored.tool_use_id === part.id ? stored : { ...stored, tool_use_id: part.id }
  return {
    ...{ tool_use_id: part.id, tool_name: call?.name ?? '', is_error: true },
    ...{ content: String(part.content), output: null },
  }
}

/** The parts that are no longer there, each as it was stored. */
function droppedParts(elements: readonly unknown[], { judgement, messageRecords }: ExaminedRecords): DroppedRecord[] {
  const kept = new Set(judgement.messages.flatMap(({ parts }) => parts.map(placeOf)))
  const rules = new Map<string, string>()
  for (const { rule, edits } of judgement.repairs)
    for (const edit of edits) {
      const lost = edit.kind === 'remove' ? edit.message.parts : edit.kind === 'replace' ? edit.before.parts : []
      for (const part of lost) rules.set(placeOf(part), rule)
    }
  return messageRecords.flatMap(({ message }) =>
    message.parts.flatMap(part => {
      const agent = agentMessage(elements[part.slot ?? -1])
      if (!agent || kept.has(placeOf(part)) || part.raw === undefined) return []
      const value = part.kind === 'result' ? agent.tool_results[String(part.raw)] : agent.content[Number(part.raw)]
      const content = reportText(JSON.stringify(value))
      return [{ at: placeOf(part), rule: rules.get(placeOf(part)) ?? '', content }]
    }),
  )
}

const placeOf = ({ kind, slot, raw }: Part): string =>
  `${atElement(slot ?? -1)}.${kind === 'result' ? `tool_results.${raw}` : `content[${raw}]`}`
