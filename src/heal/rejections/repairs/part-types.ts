import { asFields, asList, type MutableFields, scalarText } from '../../../core/request/body-draft.ts'
import { findMedia, readMedium, replaceMedia } from '../../../core/request/media-parts.ts'
import { resultIn, rewriteParts, roleOf } from '../../../core/request/parts.ts'
import type { RequestDraft } from '../request-draft.ts'
import { isToolPart, textOfForeign } from './messages.ts'
import { isReasoning } from './reasoning.ts'

/** A part of another format: it becomes what this format has for it, in all messages. */
export function repairPartTypes(draft: RequestDraft): void {
  const { values = [], value = '' } = draft.rejection
  if (draft.format === 'openai-responses') repairItems(draft, values, value)
  else if (draft.format === 'openai-chat' && hasPart(draft, value)) repairChat(draft, values)
  else if (draft.format === 'anthropic') repairBlocks(draft, values, value)
}

/** Whether any part is of a type, or has a key of that name in the place of one: the text may be about something else. */
function hasPart(draft: RequestDraft, type: string): boolean {
  let isThere = false
  rewriteParts(draft, part => {
    if (part.type === type || (part.type === undefined && type in part)) isThere = true
    return part
  })
  return isThere
}

function repairBlocks(draft: RequestDraft, values: readonly string[], value: string): void {
  rewriteParts(draft, (part, { at, inResult }) =>
    part.type !== value || values.includes(value) ? part : convert(draft, part, at, 'text', values, inResult),
  )
  if (!draft.changed) replaceForeignSources(draft, values, value)
}

/** Media whose data come from somewhere that the provider does not know. */
function replaceForeignSources(draft: RequestDraft, values: readonly string[], value: string): void {
  if (values.includes(value)) return
  const media = findMedia(draft).filter(({ part }) => asFields(part.source)?.type === value)
  replaceMedia(draft, media, `the provider does not accept a source of the type ${value}`)
}

function repairItems(draft: RequestDraft, values: readonly string[], value: string): void {
  rewriteParts(draft, (part, { role, inResult, at }) => {
    const wanted = role === 'assistant' && !inResult ? 'output_text' : 'input_text'
    const isText = typeof part.text === 'string' && /(^|_)text$/.test(scalarText(part.type))
    if (isText && part.type !== wanted && (values.includes(wanted) || part.type === value)) {
      draft.change('lossless', at, `a part of the type ${scalarText(part.type)} becomes ${wanted}`, () => {
        part.type = wanted
      })
      return part
    }
    if (part.type !== value || values.includes(value)) return part
    return convert(draft, part, at, wanted, values, inResult)
  })
}

function repairChat(draft: RequestDraft, values: readonly string[]): void {
  const taken = values.length > 0 ? values : ['text', 'image_url', 'input_audio', 'refusal', 'audio', 'file']
  const after = draft.history.flatMap((message, index) => {
    const fields = asFields(message)
    const parts = fields?.content
    if (!fields || !Array.isArray(parts)) return [message]
    return repairChatMessage(draft, fields, parts, taken, `${draft.root}[${index}].content`)
  })
  if (draft.changed) draft.history = after
}

/** The message without parts of other types: calls move to its list, and results to messages before it. */
function repairChatMessage(
  draft: RequestDraft,
  message: MutableFields,
  parts: readonly unknown[],
  taken: readonly string[],
  at: string,
): unknown[] {
  const listed = new ListedCalls(message)
  const results: MutableFields[] = []
  const kept: unknown[] = []
  for (const part of parts) {
    const block = asFields(part)
    if (!block || taken.includes(scalarText(block.type))) kept.push(part)
    else if (!takeCall(draft, listed, block, at) && !takeResult(draft, results, block, at)) {
      const converted = convert(draft, block, at, 'text', taken, roleOf(message) === 'tool')
      if (converted) kept.push(converted)
    }
  }
  message.content = kept.length > 0 ? kept : null
  const isEmpty = kept.length === 0 && asList(message.tool_calls).length === 0
  if (isEmpty && results.length === 0) message.content = ''
  const stays = !isEmpty || (results.length === 0 && roleOf(message) !== 'assistant')
  return stays ? [...results, message] : results
}

/** The calls in `tool_calls` of a message. */
class ListedCalls {
  readonly #message: MutableFields
  readonly #ids: Set<unknown>
  readonly #names: Set<unknown>

  constructor(message: MutableFields) {
    const calls = asList(message.tool_calls).map(call => asFields(call))
    this.#message = message
    this.#ids = new Set(calls.map(call => call?.id))
    this.#names = new Set(calls.map(call => asFields(call?.function)?.name))
  }

  has(id: unknown, name: unknown): boolean {
    return id === undefined ? this.#names.has(name) : this.#ids.has(id)
  }

  add(id: unknown, name: unknown, input: unknown): void {
    if (!Array.isArray(this.#message.tool_calls)) this.#message.tool_calls = []
    const calls = asList(this.#message.tool_calls)
    const call = {
      id: id ?? `call_${calls.length}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }
    calls.push(call)
    this.#ids.add(call.id)
    this.#names.add(name)
  }
}

/** A call in a block becomes one in `tool_calls`, unless it is there already. */
function takeCall(draft: RequestDraft, listed: ListedCalls, block: MutableFields, at: string): boolean {
  const call =
    asFields(block.functionCall) ??
    asFields(block.toolUse) ??
    (block.type === 'tool_use' || block.type === 'tool-call' ? block : undefined)
  if (!call) return false
  const id = call.id ?? call.toolUseId ?? call.toolCallId
  const name = call.name ?? call.toolName
  const isThere = listed.has(id, name)
  return draft.change(
    'lossless',
    at,
    isThere
      ? 'a call that is in tool_calls too is removed from the content'
      : 'a call moves from the content to tool_calls',
    () => {
      if (!isThere) listed.add(id, name, call.input ?? call.args ?? {})
    },
  )
}

/** A result in a block becomes a message with the role `tool`. */
function takeResult(draft: RequestDraft, results: MutableFields[], block: MutableFields, at: string): boolean {
  const result =
    resultIn(block) ??
    (block.type === 'tool-result' || /^function_call_output$|^custom_tool_call_output$/.test(scalarText(block.type))
      ? block
      : undefined)
  const id = result?.tool_use_id ?? result?.toolCallId ?? result?.call_id ?? result?.toolUseId ?? result?.id
  if (!result || id === undefined) return false
  return draft.change('lossless', at, 'a result moves from the content to a message of its own', () => {
    const given = result.content ?? result.output ?? result.response
    const content =
      typeof given === 'string'
        ? given
        : Array.isArray(given)
          ? given.map(part => textOfForeign(asFields(part) ?? {})).join('\n')
          : JSON.stringify(given ?? '')
    results.push({ role: 'tool', tool_call_id: id, content })
  })
}

/** The part in this format; undefined if it is reasoning, which the format has no part for. */
function convert(
  draft: RequestDraft,
  part: MutableFields,
  at: string,
  text: string,
  taken: readonly string[],
  inResult: boolean,
): MutableFields | undefined {
  const type = scalarText(part.type ?? Object.keys(part)[0])
  if (isReasoning(part) || /reasoning|thinking/.test(type))
    return draft.change('lossy', at, `reasoning in a part of the type ${type} is removed`, () => {}) ? undefined : part
  const image = imageFor(draft, part)
  if (image && (taken.length === 0 || taken.includes(scalarText(image.type))))
    return draft.change('lossless', at, `a part of the type ${type} becomes ${image.type}`, () => {}) ? image : part
  // Outside of a result, the text of a tool would look like text of the user or the assistant.
  const isTool = isToolPart(part) && !inResult
  const words = typeof part.text === 'string' && !isTool ? part.text : undefined
  const isDone = draft.change(
    words === undefined ? 'lossy' : 'lossless',
    at,
    `a part of the type ${type} becomes a text`,
    () => {},
  )
  return isDone ? { type: text, text: words ?? (isTool ? `[${type} removed]` : textOfForeign(part)) } : part
}

/** An image as a part of the format. */
function imageFor(draft: RequestDraft, part: MutableFields): MutableFields | undefined {
  const medium = readMedium(part)
  if (medium?.kind !== 'image' || typeof (medium.data ?? medium.url) !== 'string') return undefined
  const { url, data, type } = medium
  if (draft.format === 'anthropic')
    return {
      type: 'image',
      source: data === undefined ? { type: 'url', url } : { type: 'base64', media_type: type, data },
    }
  const address = medium.uri ?? url ?? `data:${type};base64,${String(data)}`
  return draft.format === 'openai-chat'
    ? { type: 'image_url', image_url: { url: address } }
    : { type: 'input_image', image_url: address }
}
