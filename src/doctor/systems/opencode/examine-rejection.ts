import { isRecord } from '../../../core/conversation.ts'
import { parseVerbatim } from '../../../core/json/exact-json.ts'
import { asFields, asList, type MutableFields } from '../../../core/request/body-draft.ts'
import type { Rejection } from '../../../heal/rejections/rejection.ts'
import { printLike } from '../../files/print-like.ts'
import { repairParts, type SourcedMessage } from '../../rejected/repair-stored.ts'
import type { RejectionExamination, StoreRepair } from '../../system.ts'
import type { PartChange } from './diagnose.ts'
import type { StoredMessage, StoredRecord } from './records.ts'

/** A stored part, and whether its call or its result is meant. */
interface Source {
  readonly message: string
  readonly part: StoredRecord
  readonly isResult?: true
}

/** What would be repaired in a session after a rejection. Reasoning, text, files and results are changed, calls are not. */
export function examineStoredRejection(
  messages: readonly StoredMessage[],
  rejection: Rejection,
  repairFor: (changes: readonly PartChange[]) => StoreRepair,
): RejectionExamination {
  const { changed, repairs, remaining } = repairParts(
    messages.flatMap(sentAs),
    rejection,
    ({ message, part }) => `message ${message}, part ${part.id}`,
  )
  if (changed.size === 0) return { repairs: [], remaining }
  // A call and its result are one part: it is removed with its call, whatever happens to its result.
  const changes = new Map<string, PartChange>()
  for (const [{ message, part, isResult }, after] of changed) {
    if (changes.get(part.id)?.kind === 'remove') continue
    const value = valueAfter(part.value as MutableFields, after, isResult === true)
    changes.set(
      part.id,
      value === undefined
        ? { kind: 'remove', message, part: part.id }
        : { kind: 'write', message, part: part.id, text: textAfter(part.text, value) },
    )
  }
  return {
    repairs,
    remaining,
    dropped: [...new Map([...changed.keys()].map(source => [source.part.id, source])).values()].map(
      ({ message, part }) => ({
        at: `message ${message}, part ${part.id}`,
        rule: rejection.kind,
        content: part.text.length > shownMax ? `${part.text.slice(0, shownMax)}…` : part.text,
      }),
    ),
    storeRepair: repairFor([...changes.values()]),
  }
}

const shownMax = 16 * 1024

/** A message as the program sends it: results follow their calls in a separate message. */
function sentAs({ id, value, parts }: StoredMessage): SourcedMessage<Source>[] {
  if (!value || (value.role !== 'user' && value.role !== 'assistant')) return []
  const partBlocks: { part: MutableFields; source: Source }[] = []
  const results: { part: MutableFields; source: Source }[] = []
  for (const part of parts) {
    const source = { message: id, part }
    if (!part.value) continue
    if (part.value.type !== 'tool') {
      const block = blockOf(part.value)
      if (block) partBlocks.push({ part: block, source })
      continue
    }
    const { callID, tool, state } = part.value
    const { input, output, error, attachments } = asFields(state) ?? {}
    partBlocks.push({ part: { type: 'tool_use', id: callID, name: tool, input: input ?? {} }, source })
    const files = asList(attachments).flatMap(file => (isRecord(file) ? (blockOf(file) ?? []) : []))
    const content = [{ type: 'text', text: String(output ?? error ?? '') }, ...files]
    const result = { type: 'tool_result', tool_use_id: callID, content }
    results.push({ part: result, source: { ...source, isResult: true } })
  }
  return [
    ...(partBlocks.length > 0 ? [{ role: value.role, parts: partBlocks }] : []),
    ...(results.length > 0 ? [{ role: 'user', parts: results }] : []),
  ]
}

/** A part as a block of a request; undefined if it is not sent. */
function blockOf(part: Readonly<MutableFields>): MutableFields | undefined {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type === 'reasoning') {
    const { anthropic } = asFields(part.metadata) ?? {}
    return { type: 'thinking', thinking: part.text, signature: asFields(anthropic)?.signature ?? '' }
  }
  if (part.type !== 'file' || typeof part.url !== 'string') return undefined
  const type = /^data:([^;,]{1,100});base64,/.exec(part.url)?.[1]
  const data = type === undefined ? undefined : part.url.slice(part.url.indexOf(',') + 1)
  const kind = String(part.mime).startsWith('image/') ? 'image' : 'document'
  if (data === undefined) return { type: kind, source: { type: 'url', url: part.url } }
  return { type: kind, source: { type: 'base64', media_type: type, data } }
}

/** What is stored in place of a part; undefined if nothing is. */
function valueAfter(value: MutableFields, after: readonly unknown[], isResult: boolean): MutableFields | undefined {
  const [first] = after.map(part => asFields(part))
  if (!first) return undefined
  if (isResult) return withResult(value, first.content)
  if (first.type === 'text' && value.type === 'text') return { ...value, text: first.text }
  if (first.type === 'text') {
    const { id, sessionID, messageID } = value
    const ids = Object.fromEntries(Object.entries({ id, sessionID, messageID }).filter(([, one]) => one !== undefined))
    return { ...ids, type: 'text', text: first.text }
  }
  const { media_type, data } = asFields(first.source) ?? {}
  if (typeof data === 'string') return { ...value, mime: media_type, url: `data:${media_type};base64,${data}` }
  return value
}

/** A call with another result: its text, and the files that are still in it. */
function withResult(value: MutableFields, content: unknown): MutableFields {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content).map(asFields)
  const text = blocks.flatMap(block => (block?.type === 'text' ? [String(block.text)] : [])).join('\n')
  const state = asFields(value.state) ?? {}
  const kept = new Set(blocks.map(block => asFields(block?.source)?.data ?? asFields(block?.source)?.url))
  const { attachments, ...rest } = state
  const files = asList(attachments).filter(file => {
    const source = isRecord(file) ? asFields(blockOf(file)?.source) : undefined
    return source === undefined || kept.has(source.data ?? source.url)
  })
  const outcome = state.status === 'error' ? { error: text } : { output: text }
  return {
    ...value,
    state: { ...rest, ...outcome, ...(attachments === undefined ? {} : { attachments: files }) },
  }
}

function textAfter(text: string, value: MutableFields): string {
  const bare = text.replace(/^\uFEFF/, '')
  return printLike({ text: bare.trim(), value: parseVerbatim(bare) }, value)
}
