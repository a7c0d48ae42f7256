import {
  type Blank,
  type CallPart,
  type Conversation,
  isRecord,
  type Message,
  type Part,
  type ResultPart,
  type Role,
} from '../../core/conversation.ts'
import { fileOf, signerAndItemIdOf, storedFile } from '../shared/ai-sdk-packages.ts'
import { isProviderRun } from '../shared/scan.ts'
import { idText, numeric, text } from '../shared/text.ts'
import { aiSdkFormat } from './format.ts'
import { inputOf, isBlank, isOutput, outputOf } from './input-output.ts'
import { roleOf, TurnCalls } from './turn.ts'

/** A tool message becomes one message for each result and each answer to a request in it. */
export function decode(history: readonly unknown[], from = 0, to = history.length, key = 0): Conversation {
  const messages: Message[] = []
  let turn: TurnCalls | undefined
  for (let origin = from; origin < to; origin++) {
    if (!turn || origin === turn.end) turn = new TurnCalls(history, origin, to)
    const add = (role: Role, parts: readonly Part[], blank?: Blank): void => {
      messages.push({ key: key + messages.length, origin, role, parts, ...(blank === undefined ? {} : { blank }) })
    }
    decodeMessage(add, history[origin], origin, turn)
  }
  return { format: aiSdkFormat, messages, continues: false }
}

type Add = (role: Role, parts: readonly Part[], blank?: Blank) => void

function decodeMessage(add: Add, raw: unknown, origin: number, turn: TurnCalls): void {
  const role = roleOf(raw)
  const content = isRecord(raw) ? raw.content : undefined
  if (role === 'other') add(role, [])
  else if (!Array.isArray(content)) {
    if (typeof content === 'string' && content !== '') add(role, [{ kind: 'text', text: content }])
    else add(role, [], content === '' ? 'empty' : content === null ? 'null' : 'missing')
  } else if (role === 'tool') {
    for (const [slot, part] of content.entries()) add(role, [decodeAnswer(part, slot, turn)])
  } else {
    const decodePart = role === 'assistant' ? decodeSpoken : decodeSaid
    const parts = content.map((part, slot) => decodePart(part, slot, turn, origin))
    if (parts.length > 0) add(role, parts)
    else add(role, parts, 'missing')
  }
}

function decodeAnswer(raw: unknown, slot: number, turn: TurnCalls): Part {
  if (isRecord(raw) && raw.type === 'tool-result') return decodeResult(raw, slot, turn)
  if (!isRecord(raw) || misplaced.has(raw.type)) return { kind: 'other', unreadable: true, raw, slot }
  if (raw.type !== 'tool-approval-response') return { kind: 'other', raw, slot }
  return { kind: 'other', approval: { id: text(raw.approvalId), kind: 'answer' }, raw, slot }
}

/** Parts of other messages, on which every package of the SDK throws in a tool message. */
const misplaced = new Set<unknown>([undefined, 'text', 'image', 'file', 'reasoning', 'tool-call'])

function decodeSpoken(raw: unknown, slot: number, turn: TurnCalls, origin: number): Part {
  if (!isRecord(raw)) return decodeSaid(raw, slot, turn, origin)
  if (raw.type === 'tool-result') return decodeResult(raw, slot, turn)
  if (raw.type !== 'tool-approval-request') {
    const part = decodeSaid(raw, slot, turn, origin)
    return part.kind === 'other' ? { ...part, ...fileOf(raw) } : part
  }
  const kind = turn.knowsCallOf(raw) ? 'request' : 'lost'
  return { kind: 'other', approval: { id: text(raw.approvalId), kind }, raw, slot }
}

function decodeSaid(raw: unknown, slot: number, turn: TurnCalls, origin: number): Part {
  const type = isRecord(raw) ? raw.type : undefined
  if (!isRecord(raw) || typeof type !== 'string' || (type === 'text' && typeof raw.text !== 'string'))
    return { kind: 'other', unreadable: true, raw, slot }
  if (type === 'text')
    return { kind: 'text', text: text(raw.text), ...signerAndItemIdOf(raw.providerOptions), raw, slot }
  if (type === 'tool-call') return decodeCall(raw, slot, turn, origin)
  // The library itself drops reasoning that the provider does not accept.
  if (type === 'reasoning' || type === 'redacted-reasoning')
    return {
      kind: 'reasoning',
      text: text(raw.text),
      signed: true,
      ...signerAndItemIdOf(raw.providerOptions),
      raw,
      slot,
    }
  return { kind: 'other', ...storedFile(raw), raw, slot }
}

type Raw = Readonly<Record<string, unknown>>

function decodeCall(raw: Raw, slot: number, turn: TurnCalls, origin: number): CallPart {
  const id = idText(raw.toolCallId)
  const isClient = raw.providerExecuted !== true
  return {
    kind: 'call',
    id,
    name: text(raw.toolName),
    input: inputOf(raw),
    callKind: 'function',
    by: isClient ? 'client' : 'provider',
    ...numeric(raw.toolCallId),
    ...turn.takeApproval(origin, id),
    ...(isClient ? (isProviderRun(id) ? { providerRun: true } : {}) : { ...turn.host(id), itemId: id }),
    raw,
    slot,
  }
}

function decodeResult(raw: Raw, slot: number, turn: TurnCalls): ResultPart {
  const id = idText(raw.toolCallId)
  const output = outputOf(raw)
  const isClient = !turn.isHosted(raw)
  const type = isOutput(output) ? output.type : undefined
  return {
    kind: 'result',
    id,
    ...(typeof raw.toolName === 'string' && raw.toolName !== '' ? { name: raw.toolName } : {}),
    content: isBlank(output) ? output.value : output,
    callKind: 'function',
    by: isClient ? 'client' : 'provider',
    ...(isClient ? {} : { ...turn.host(id), itemId: id }),
    ...numeric(raw.toolCallId),
    ...(raw.isError === true || type?.startsWith('error-') || type === 'execution-denied' ? { error: true } : {}),
    ...(type === 'execution-denied' ? { denied: true } : {}),
    ...(isClient && type === undefined && !('result' in raw) ? { malformed: true } : {}),
    raw,
    slot,
  }
}
