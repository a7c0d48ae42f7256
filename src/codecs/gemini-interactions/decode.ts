import {
  type Blank,
  type Conversation,
  isRecord,
  type Message,
  type Part,
  type ResultPart,
} from '../../core/conversation.ts'
import { isBlock } from '../../core/result-blocks.ts'
import { isProviderRun } from '../shared/scan.ts'
import { idText, numeric, text } from '../shared/text.ts'
import { geminiInteractionsFormat } from './format.ts'
import { contentTypes, keptSteps, providerSteps } from './steps.ts'

/** Adjacent steps of the model are one message, each step or content a part of it; so are adjacent contents of the user. */
export function decode(history: readonly unknown[], from = 0, to = history.length, key = 0): Conversation {
  const messages: Message[] = []
  let group: { readonly role: 'assistant' | 'user'; readonly parts: Part[] } | undefined
  let signature: string | undefined
  for (let index = from; index < to; index++) {
    const step = history[index]
    const role = groupOf(step)
    if (role === undefined || !isRecord(step)) {
      group = undefined
      messages.push({ key: key + messages.length, origin: index, ...decodeStep(step, index) })
      continue
    }
    if (group?.role !== role) {
      group = { role, parts: [] }
      signature = undefined
      const listed = role === 'user' ? { listed: true as const } : {}
      messages.push({ key: key + messages.length, origin: index, ...group, ...listed })
    }
    if (step.type === 'thought') signature = text(step.signature) || signature
    if (role === 'user') group.parts.push(readContent(step, index))
    else if (isMixed(step)) for (const block of step.content) group.parts.push(readContent(block, index))
    else group.parts.push(modelPart(step, index, signature))
  }
  return { format: geminiInteractionsFormat, messages, continues: false }
}

/** How many messages `decode` makes of a range. */
export function count(history: readonly unknown[], from: number, to: number): number {
  let count = 0
  let last: string | undefined
  for (let index = from; index < to; index++) {
    const role = groupOf(history[index])
    if (role === undefined || role !== last) count++
    last = role
  }
  return count
}

type Raw = Readonly<Record<string, unknown>>

/** Whose group a step joins, if it joins one. */
function groupOf(step: unknown): 'assistant' | 'user' | undefined {
  if (!isRecord(step)) return undefined
  if (contentTypes.has(step.type)) return 'user'
  return ownSteps.has(step.type) || providerSteps.has(step.type) ? 'assistant' : undefined
}

const ownSteps: ReadonlySet<unknown> = new Set(['model_output', 'thought', 'function_call'])

/** The signature of a call is that of the last thought before it in the same answer. */
function modelPart(step: Raw, slot: number, signature: string | undefined): Part {
  if (step.type === 'function_call') return readCall(step, slot, text(step.signature) || signature)
  if (step.type === 'thought')
    return {
      kind: 'reasoning',
      text: textIn(step.summary),
      signed: text(step.signature) !== '',
      raw: step,
      slot,
    }
  if (step.type !== 'model_output') return { kind: 'other', raw: step, slot }
  const words = textIn(step.content)
  const holdsOther = words === '' && (isRecord(step.error) || hasOther(step.content))
  return holdsOther ? { kind: 'other', raw: step, slot } : { kind: 'text', text: words, raw: step, slot }
}

/** Whether a step of the model has several contents and not only text: each is a part, with the slot of the step. */
export const isMixed = (step: unknown): step is Raw & { readonly content: readonly unknown[] } =>
  isRecord(step) &&
  step.type === 'model_output' &&
  Array.isArray(step.content) &&
  step.content.length > 1 &&
  hasOther(step.content)

const hasOther = (content: unknown): boolean =>
  Array.isArray(content) && content.some(block => !isRecord(block) || typeof block.text !== 'string')

function readCall(step: Raw, slot: number, signature: string | undefined): Part {
  const id = idText(step.id)
  return {
    kind: 'call',
    id,
    name: text(step.name),
    input: step.arguments,
    callKind: 'function',
    by: 'client',
    ...numeric(step.id),
    ...(isProviderRun(id) ? { providerRun: true as const } : {}),
    ...(signature === undefined ? {} : { signature }),
    raw: step,
    slot,
  }
}

function decodeStep(step: unknown, slot: number): Omit<Message, 'key' | 'origin'> {
  if (!isRecord(step)) return { role: 'other', parts: [] }
  if (step.type === 'user_input') return { role: 'user', ...readUserInput(step) }
  if (step.type === 'function_result') return { role: 'tool', parts: [readResult(step, slot)] }
  return { role: 'other', parts: keptSteps.has(step.type) ? [{ kind: 'other', raw: step, slot }] : [] }
}

function readUserInput({ content }: Raw): { parts: Part[]; blank?: Blank } {
  if (typeof content === 'string')
    return content === '' ? { parts: [], blank: 'empty' } : { parts: [{ kind: 'text', text: content }] }
  if (!Array.isArray(content)) return { parts: [], blank: content === undefined ? 'missing' : 'null' }
  return content.length === 0 ? { parts: [], blank: 'missing' } : { parts: content.map(readContent) }
}

const readContent = (block: unknown, slot: number): Part =>
  isRecord(block) && typeof block.text === 'string'
    ? { kind: 'text', text: block.text, raw: block, slot }
    : { kind: 'other', raw: block, slot }

function readResult(step: Raw, slot: number): ResultPart {
  const { call_id: id, name, result } = step
  return {
    kind: 'result',
    id: idText(id),
    ...(text(name) === '' ? {} : { name: text(name) }),
    content: result,
    ...numeric(id),
    ...(step.is_error === true ? { error: true as const } : {}),
    ...(isSendable(result) ? {} : { malformed: true as const }),
    callKind: 'function',
    by: 'client',
    raw: step,
    slot,
  }
}

/** A result is a text, an object or a list of contents. */
export const isSendable = (result: unknown): boolean =>
  Array.isArray(result) ? result.every(isBlock) : typeof result === 'string' || isRecord(result)

/** The text of a list of contents. */
function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  let words = ''
  for (const block of content) if (isRecord(block)) words += text(block.text)
  return words
}
