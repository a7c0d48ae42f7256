import { check, heal } from '../../src/index.ts'
import { isObject, objects } from '../../src/strict/json.ts'
import type { ProviderRejection } from '../../src/strict/provider.ts'
import { findProvider } from '../../src/strict/providers/index.ts'
import { ServerState } from '../../src/strict/server/state.ts'
import { history, validHistory } from '../laws/history.ts'
import { isUnknowable } from '../strict/unknowable.ts'
import { aiSdk } from './ai-sdk.ts'
import { langchain } from './langchain.ts'
import { openaiAgents } from './openai-agents.ts'
import type { History, Translator } from './translator.ts'

export const translators: readonly Translator[] = [...aiSdk, ...langchain, ...openaiAgents]

/** What became of a history: `accepted`, or why the SDK threw or the provider rejected it. */
export type Outcome = 'accepted' | string

export async function outcomeOf(translator: Translator, history: History): Promise<Outcome> {
  if (history.length === 0) return 'accepted'
  let body: Record<string, unknown>
  try {
    body = await translator.send(history)
  } catch (error) {
    return `throws ${error instanceof Error ? `${error.name}: ${error.message}` : error}`.slice(0, 200)
  }
  return rejection(translator, body) ?? 'accepted'
}

export function rejection({ provider: id, api, model }: Translator, body: Record<string, unknown>): string | undefined {
  const provider = findProvider(id)
  if (!provider) throw new Error(`no strict provider ${id}`)
  const request = { id: 'req_1', provider: id, api, path: '/', model, stream: false, headers: {}, body }
  const refused: ProviderRejection | undefined = provider.reject(request, stateFor(body))
  if (refused && !isUnknowable(refused)) return `${refused.fact}: ${refused.message}`.slice(0, 300)
  return undefined
}

/** A server that has stored every item that it can have given: those whose ids begin as its own do. */
function stateFor(body: Record<string, unknown>): ServerState {
  const state = new ServerState()
  const known = objects(body.input).filter(item => item.type === 'item_reference' && ownIds.test(String(item.id)))
  if (known.length > 0) {
    const output = known.map(({ id }) => ({ id, type: typeOf(String(id)) }))
    state.keep({}, { id: 'resp_1', output })
  }
  return state
}

const ownIds = /^(msg|rs|fc|ws|fs|ci|ig|mcp|mcpr|sh|lsh|cu|ts)_/
const typeOf = (id: string): string =>
  id.startsWith('msg_') ? 'message' : id.startsWith('rs_') ? 'reasoning' : 'web_search_call'

export interface Trial {
  readonly seed: number
  readonly before: History
  readonly after: History
  readonly was: Outcome
  readonly is: Outcome
}

export const healed = (translator: Translator, messages: History): History =>
  translator.heal
    ? translator.heal(messages)
    : heal(messages, { format: translator.format, for: translator.dialect, model: translator.model })

/** A valid history for every fourth seed; for the others corrupted and free-form ones by turns. */
export function subject({ format, dialect, itemsOf }: Translator, seed: number): History {
  const { messages } = seed % 4 === 0 ? validHistory(format, seed) : history(format, seed)
  const found = check(messages, { format, for: dialect }).filter(({ rule }) => rule === 'unreadable-message')
  const unreadable = new Set(found.map(({ at }) => Number(at.match(/\d+/)?.[0])))
  const readable = messages.filter((_, index) => !unreadable.has(index))
  return itemsOf ? itemsOf(readable) : readable
}

/**
 * Whether a history is not one of its SDK's present version, which throws on it whatever healing does:
 * - version 4 of the AI SDK had other names for what calls ask, results say and reasoning is, and no later version reads them;
 * - parts of another format are left as they are, and the AI SDK knows no type but its own;
 * - a chat of nothing but sources and data is not sent at all;
 * - a call that Anthropic ran and did not finish names a tool of Anthropic's, by its own name or by one that the application
 *   declares for it; random histories declare none, and the AI SDK leaves other calls out;
 * - LangChain for JavaScript takes a text or a list of blocks with types that it knows as content, and fails on anything else.
 */
export function isForeign({ format, dialect }: Translator, history: History): boolean {
  const parts = format === 'ai-sdk-ui' ? objects(history).flatMap(message => objects(message.parts)) : []
  if (parts.length > 0 && parts.every(({ type }) => typeof type === 'string' && /^(data|source)-/.test(type)))
    return true
  const last = parts.at(-1)
  if (dialect === 'anthropic' && last?.providerExecuted === true && last.output === undefined && !isOfAnthropic(last))
    return true
  return history.some(message => {
    const { content, content_blocks, parts, data, kwargs } = isObject(message) ? message : {}
    const fields = [kwargs, data].find(isObject) ?? { content, content_blocks }
    const blocks = [fields.content, fields.content_blocks, parts].filter(Array.isArray).flat()
    if (format === 'langchain') return !isOfLangChain(fields.content) || !isOfLangChain(fields.content_blocks)
    return objects(blocks).some(
      ({ type, state, toolName, args, result, output, reasoning }) =>
        type === 'tool-invocation' ||
        reasoning !== undefined ||
        (format === 'ai-sdk-ui' && !isOfChat(type, state, toolName)) ||
        args !== undefined ||
        result !== undefined ||
        (format === 'ai-sdk' && [type, ...typesIn(output)].some(found => !ownTypes.has(found))),
    )
  })
}

const isOfAnthropic = ({ type, toolName }: Record<string, unknown>): boolean =>
  /^(tool-)?(web_search|web_fetch|code_execution|advisor|tool_search_tool_\w+)$/.test(String(toolName ?? type))

/** A block of an output without a type, or an image, which is a file there, is one of another format. */
const typesIn = (output: unknown): unknown[] =>
  isObject(output) && output.type === 'content'
    ? [output.value].flat().map(block => (isObject(block) && block.type !== 'image' ? (block.type ?? 'none') : 'none'))
    : []

/** No tool has a name that providers reject, so none runs when its call is approved. */
const isOfChat = (type: unknown, state: unknown, toolName: unknown): boolean =>
  typeof type === 'string' &&
  /^(text|reasoning|file|step-start|steering-message|dynamic-tool|(tool|data|source)-.*)$/s.test(type) &&
  (state !== 'approval-responded' || /^tool-[\w-]{1,64}$/.test(type === 'dynamic-tool' ? `tool-${toolName}` : type))

const isOfLangChain = (content: unknown): boolean =>
  content === undefined ||
  content === null ||
  typeof content === 'string' ||
  (Array.isArray(content) &&
    content.every(block => isObject(block) && typeof block.type === 'string' && block.type !== '__proto__'))

const ownTypes = new Set<unknown>([
  ...[undefined, 'text', 'image', 'file', 'reasoning', 'tool-call', 'tool-result'],
  ...['tool-approval-request', 'tool-approval-response'],
])

export async function tryHistory(translator: Translator, seed: number): Promise<Trial> {
  const made = subject(translator, seed)
  const before = isForeign(translator, made) ? [] : made
  const after = healed(translator, before)
  const was = await outcomeOf(translator, before)
  const is = after === before ? was : await outcomeOf(translator, after)
  return { seed, before, after, was, is }
}
