import { type CallPart, isRecord, type Part, type ResultPart } from '../../../core/conversation.ts'
import type { LinkedFormat, PathReading, PathRecords } from '../../linked/linked-format.ts'
import { uuidFrom } from '../../linked/new-ids.ts'
import { objectsIn, type RecordContent, type RecordFields, shortContent } from '../../record-format.ts'

/** How Copilot CLI stores a conversation: events, each of which names the one before it. */
export const copilotFormat: LinkedFormat = {
  dialect: 'anthropic',
  isList: true,
  keys: {
    id: 'id',
    parent: 'parentId',
    isLinked: ({ type, data }) => typeof type === 'string' && isRecord(data),
    refusesBadLines: true,
  },
  newId: uuidFrom,
  readPath: path => ({ contents: contentsOf, waiting: { pendingCalls: waitingCalls(path) } }),
  fill: filledPart,
  write: withParts,
  answer: answerTo,
}

/** Events of a sub-agent are not in the main list. */
const contentsOf: PathReading['contents'] = ({ type, data, agentId }): readonly RecordContent[] => {
  if (!isRecord(data) || agentId !== undefined || data.parentToolCallId !== undefined) return []
  if (type === 'user.message')
    return [{ role: 'user', parts: [{ kind: 'text', text: shortContent(String(data.content)), raw: 0 }] }]
  if (type === 'tool.execution_complete')
    return isRunByUser(data)
      ? [{ role: 'user', parts: [{ kind: 'text', text: shortContent(outcomeOf(data)), raw: 0 }] }]
      : [{ role: 'tool', parts: [resultOf(data)] }]
  if (type !== 'assistant.message') return []
  const parts: Part[] = [
    ...(data.content ? [{ kind: 'text' as const, text: shortContent(String(data.content)), raw: -1 }] : []),
    ...requestsOf(data).map(callOf),
  ]
  return parts.length === 0 ? [] : [{ role: 'assistant', parts }]
}

/** A command that the user ran in the program: its output is sent as a user message, and no response has called it. */
const isRunByUser = ({ isUserRequested }: RecordFields): boolean => isUserRequested === true

const requestsOf = ({ toolRequests }: RecordFields): readonly RecordFields[] => objectsIn(toolRequests)

const callOf = ({ toolCallId, name }: RecordFields, raw: number): CallPart => ({
  kind: 'call',
  id: String(toolCallId ?? ''),
  name: String(name),
  input: {},
  callKind: 'function',
  by: 'client',
  raw,
})

function resultOf(data: RecordFields): ResultPart {
  const failed = data.success === false && { error: true as const }
  const id = String(data.toolCallId ?? '')
  const content = shortContent(outcomeOf(data))
  return { kind: 'result', id, content, callKind: 'function', by: 'client', raw: 0, ...failed }
}

const outcomeOf = ({ result, error }: RecordFields): string =>
  String((isRecord(result) ? result.content : undefined) ?? (isRecord(error) ? error.message : undefined) ?? '')

/** The calls of the last step that wait for a permission or for an external tool. */
function waitingCalls({ count, value }: PathRecords): string[] {
  let calls: string[] = []
  let waits = new Set<unknown>()
  for (let record = 0; record < count; record++) {
    const { type, data } = value(record)
    if (!isRecord(data)) continue
    if (type === 'assistant.message') {
      calls = requestsOf(data).map(({ toolCallId }) => String(toolCallId))
      waits = new Set()
    } else if (type === 'user.message') calls = []
    else if (type === 'permission.requested' || type === 'external_tool.requested') waits.add(data.requestId ?? record)
    else if (type === 'permission.completed' || type === 'external_tool.completed') waits.delete(data.requestId)
  }
  return waits.size > 0 ? calls : []
}

function filledPart({ data }: RecordFields, part: Part): Part {
  if (!isRecord(data)) return part
  if (part.kind === 'text') return { ...part, text: isRunByUser(data) ? outcomeOf(data) : String(data.content) }
  return part.kind === 'call' ? { ...part, input: requestsOf(data)[part.raw as number]?.arguments ?? {} } : part
}

function withParts(event: RecordFields, parts: readonly Part[]): RecordFields {
  const { data } = event
  if (!isRecord(data)) return event
  const [first] = parts
  if (first?.kind === 'result') return { ...event, data: { ...data, toolCallId: first.id } }
  const old = requestsOf(data)
  const toolRequests = parts.flatMap(part => {
    const request = part.kind === 'call' ? old[part.raw as number] : undefined
    return request
      ? [request.toolCallId === (part as CallPart).id ? request : { ...request, toolCallId: (part as CallPart).id }]
      : []
  })
  const content = parts.some(({ kind }) => kind === 'text') ? data.content : ''
  return { ...event, data: { ...data, content, ...('toolRequests' in data && { toolRequests }) } }
}

/** The result that Copilot CLI itself stores for a call that was interrupted. */
function answerTo(call: CallPart, { data, timestamp }: RecordFields): RecordFields {
  const { model, interactionId } = isRecord(data) ? data : {}
  return {
    type: 'tool.execution_complete',
    data: {
      toolCallId: call.id,
      ...(model !== undefined && { model }),
      ...(interactionId !== undefined && { interactionId }),
      success: false,
      error: { message: 'The execution of this tool, or a previous tool was interrupted.', code: 'interrupted' },
    },
    id: '',
    timestamp,
    parentId: null,
  }
}
