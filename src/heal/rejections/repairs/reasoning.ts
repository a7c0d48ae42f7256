import { isRecord } from '../../../core/conversation.ts'
import { asFields, asList, type MutableFields } from '../../../core/request/body-draft.ts'
import { lastTurnOf, type PartPlace, resultIn, rewriteParts, roleOf } from '../../../core/request/parts.ts'
import { elementAt } from '../paths.ts'
import type { RequestDraft } from '../request-draft.ts'

/** Whether a part is reasoning, in any format. */
export const isReasoning = (part: MutableFields): boolean =>
  part.type === 'thinking' ||
  part.type === 'redacted_thinking' ||
  part.type === 'reasoning' ||
  'reasoningContent' in part ||
  part.thought === true

/** Fields of chat messages with the reasoning of a provider that a gateway forwards to, including signatures. */
const signedFields = ['reasoning_details', 'thinking_blocks']

/**
 * The named block cannot be verified. The blocks before it were verified, because providers check in order. All later blocks are most
 * likely from the same source, also in the open turn: a model is often switched in the middle of a turn. There is only one more request.
 */
export function dropNamedReasoning(draft: RequestDraft): void {
  const named = namedPlace(draft)
  if (named === undefined) {
    dropAllReasoning(draft)
    return
  }
  const block = elementAt(draft.body, draft.rejection.paths[0] ?? [])
  dropReasoning(draft, (part, { message }) => part === block || message >= named)
}

/** The named block and every later one are invalid. */
export function dropReasoningFrom(draft: RequestDraft): void {
  const named = namedPlace(draft) ?? 0
  dropReasoning(draft, (_, { message }) => message >= named)
}

/** All reasoning of the named message: to remove one block of several is a modification too. */
export function dropReasoningOfMessage(draft: RequestDraft): void {
  const named = namedPlace(draft)
  const last = draft.history.findLastIndex(message => roleOf(message) === 'assistant')
  dropReasoning(draft, (_, { message }) => message === (named ?? last))
  if (!draft.changed) dropAllReasoning(draft)
}

/** Blocks that lack what the provider requires of them. */
export function dropIncompleteReasoning(draft: RequestDraft): void {
  const block = elementAt(draft.body, draft.rejection.paths[0] ?? [])
  dropReasoning(draft, part => part === block || isIncomplete(part))
}

function isIncomplete(part: MutableFields): boolean {
  if (part.type === 'redacted_thinking') return typeof part.data !== 'string' || part.data === ''
  const sealed = asFields(asFields(part.reasoningContent)?.reasoningText)
  if (sealed) return [sealed.text, sealed.signature].some(text => typeof text !== 'string' || text === '')
  if (part.type !== 'thinking') return false
  return (
    typeof part.signature !== 'string' ||
    part.signature === '' ||
    typeof part.thinking !== 'string' ||
    part.thinking === ''
  )
}

/** Reasoning that follows other content in its message: to move it would change a signed message. */
export function dropMisplacedReasoning(draft: RequestDraft): void {
  const begun = new Set<number>()
  dropReasoning(draft, (part, { message, inResult }) => {
    if (inResult) return false
    const isMisplaced = begun.has(message)
    if (!isReasoning(part)) begun.add(message)
    return isMisplaced
  })
}

/** Reasoning at the end of a message. */
export function dropTrailingReasoning(draft: RequestDraft): void {
  const trailing = new Set<unknown>()
  for (const message of draft.history) {
    const parts = asList(asFields(message)?.content)
    const content = parts.findLastIndex(part => !(isRecord(part) && isReasoning(part as MutableFields)))
    for (const part of parts.slice(content + 1)) trailing.add(part)
  }
  dropReasoning(draft, part => trailing.has(part))
}

/** Thinking is switched off, so that the open turn may have none. */
export function dropOpenReasoning(draft: RequestDraft): void {
  const open = lastTurnOf(draft)
  dropReasoning(draft, (_, { message }) => message >= open)
}

export function dropAllReasoning(draft: RequestDraft): void {
  dropReasoning(draft, () => true)
}

/** The index of the message that the text names, where the request has it. */
function namedPlace(draft: RequestDraft): number | undefined {
  // A gateway names the message of the request that it made of this one.
  if (draft.format === 'openai-chat') return undefined
  const [, index] = draft.rejection.paths[0] ?? []
  return typeof index === 'number' && index < draft.history.length ? index : undefined
}

export function dropReasoning(draft: RequestDraft, isGone: (part: MutableFields, place: PartPlace) => boolean): void {
  const gone = new Map<MutableFields, string>()
  rewriteParts(draft, (part, place) => {
    const isVoid = isGone(part, place)
    if (isVoid && isReasoning(part)) gone.set(part, place.at)
    return part
  })
  if (draft.format === 'openai-chat') {
    draft.history.forEach((message, index) => {
      const fields = asFields(message)
      for (const key of fields ? signedFields : []) {
        const place = { message: index, role: 'assistant', inResult: false, at: `${draft.root}[${index}].${key}` }
        if (fields && key in fields && isGone(fields, place)) dropField(draft, fields, key, place.at)
      }
    })
  }
  for (const at of gone.values())
    if (!draft.change('lossy', at, 'reasoning that the provider does not accept is removed', () => {})) return
  rewriteParts(draft, part => (gone.has(part) ? undefined : part))
  if (gone.size > 0) agreeThinking(draft)
}

function dropField(draft: RequestDraft, fields: MutableFields, key: string, at: string): void {
  draft.change('lossy', at, 'reasoning that the provider does not accept is removed', () => delete fields[key])
}

/** Where a request enables or disables thinking. */
export function thinkingHolder(draft: RequestDraft): MutableFields | undefined {
  const extra = asFields(draft.body.additionalModelRequestFields)
  const { anthropic } = asFields(draft.body.providerOptions) ?? {}
  return [draft.body, extra, asFields(anthropic)].find(holder => isRecord(holder?.thinking))
}

/** Switches thinking off for this request: the open turn has lost the reasoning that it must begin with. */
export function switchThinkingOff(draft: RequestDraft): void {
  const holder = thinkingHolder(draft)
  if (!holder || asFields(holder.thinking)?.type === 'disabled') return
  draft.change('lossless', 'thinking', 'thinking is switched off for this request', () => {
    holder.thinking = { type: 'disabled' }
  })
}

/** With thinking switched on by a budget, the open tool loop must begin with it. */
function agreeThinking(draft: RequestDraft): void {
  if (asFields(thinkingHolder(draft)?.thinking)?.type !== 'enabled') return
  const last = draft.history.findLastIndex(message => roleOf(message) === 'assistant')
  const parts = asList(asFields(draft.history[last])?.content)
  const isLoop = draft.history.slice(last + 1).every(message => {
    const content = asFields(message)?.content
    return (
      Array.isArray(content) && content.every(part => isRecord(part) && resultIn(part as MutableFields) !== undefined)
    )
  })
  const calls = parts.some(part => isRecord(part) && (part.type === 'tool_use' || 'toolUse' in part))
  if (last >= 0 && calls && isLoop && !(isRecord(parts[0]) && isReasoning(parts[0] as MutableFields)))
    switchThinkingOff(draft)
}

/** A model that does not think is not asked to. */
export function dropThinking(draft: RequestDraft): void {
  const { generationConfig, generation_config } = draft.body
  for (const holder of [draft.body, asFields(generationConfig ?? generation_config)]) {
    for (const key of thinkingSettings) {
      if (holder?.[key] !== undefined)
        draft.change('lossless', key, `the parameter ${key}, which the model does not accept, is removed`, () => {
          delete holder[key]
        })
    }
  }
}

const thinkingSettings = [
  ...['think', 'thinking', 'reasoning_effort', 'reasoning', 'enable_thinking', 'thinkingConfig', 'thinking_config'],
]

/** A model that reads no reasoning: its blocks and fields in messages are removed. */
export function dropReasoningInput(draft: RequestDraft): void {
  dropAllReasoning(draft)
  draft.history.forEach((message, index) => {
    const fields = asFields(message)
    for (const key of fields ? ['reasoning_content', 'reasoning'] : [])
      if (typeof fields?.[key] === 'string') dropField(draft, fields, key, `${draft.root}[${index}].${key}`)
  })
}
