import { readFileSync } from 'node:fs'
import { Random } from '../../../laws/random.ts'
import { type ChatMessage, message, wordsIn } from '../../chat/chat.ts'

type Json = Record<string, unknown>

/** The lines of a session of pi with this conversation, and sometimes a branch that was left. */
export function sessionLines(seed: number, chat: readonly ChatMessage[], id: string): string[] {
  const random = new Random(seed ^ 0x91)
  const header = { type: 'session', version: 3, id, timestamp: timeAt(0), cwd: '/home/dev/shop' }
  const entries: Json[] = []
  const hex = (): string => Array.from({ length: 8 }, () => random.int(16).toString(16)).join('')
  let parentId: string | null = null
  const add = (entry: Json): void => {
    const own = hex()
    entries.push({ type: entry.type, id: own, parentId, timestamp: timeAt(entries.length + 1), ...entry })
    parentId = own
  }
  add({ type: 'model_change', provider: 'anthropic', modelId: 'claude-sonnet-4-5' })
  for (const one of chat) {
    if (random.chance(0.1)) add({ type: 'thinking_level_change', thinkingLevel: 'low' })
    if (one.role === 'user' && random.chance(0.15)) {
      const fork: string | null = parentId
      add({ type: 'message', message: { role: 'user', content: 'a branch that was left', timestamp: 1 } })
      parentId = fork
    }
    add({ type: 'message', message: messageOf(one, entries.length) })
  }
  return [header, ...entries].map(entry => JSON.stringify(entry))
}

const timeAt = (index: number): string => new Date(1_786_529_700_000 + index * 3_000).toISOString()

function messageOf({ role, texts, calls, results }: ChatMessage, index: number): Json {
  const timestamp = 1_786_529_700_000 + index * 3_000
  const content = texts.map(text => ({ type: 'text', text }))
  if (role === 'user') return { role, content, timestamp }
  const [first] = results
  if (first) {
    const { id: toolCallId, text, isError = false } = first
    return { role: 'toolResult', toolCallId, toolName: 'bash', content: [{ type: 'text', text }], isError, timestamp }
  }
  return {
    role,
    content: [...content, ...calls.map(({ id, name, input }) => ({ type: 'toolCall', id, name, arguments: input }))],
    api: 'anthropic-messages',
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    usage: { input: 1, output: 1, cost: { total: 0.1 } },
    stopReason: calls.length > 0 ? 'toolUse' : 'stop',
    timestamp,
  }
}

/**
 * The messages that pi sends from a session: the chain of parents from the last entry, without responses that failed.
 * Its own additions for missing results are left out. OpenClaw takes the entry before for a missing parent.
 */
export const readSession = (path: string, followsLost = false): ChatMessage[] =>
  readSessionText(readFileSync(path, 'utf8'), followsLost)

export function readSessionText(text: string, followsLost = false): ChatMessage[] {
  const entries = text.split('\n').flatMap(parsed)
  if (entries[0]?.type !== 'session') throw new Error('there is no header')
  const byId = new Map<unknown, Json>()
  const parents = new Map<unknown, unknown>()
  let leaf: unknown = null
  for (const entry of entries.slice(1)) {
    const isLost = entry.parentId !== null && !byId.has(entry.parentId)
    parents.set(entry.id, followsLost && isLost ? leaf : entry.parentId)
    byId.set(entry.id, entry)
    leaf = entry.id
  }
  const chain: Json[] = []
  for (let at: unknown = leaf; at !== null; at = parents.get(at)) {
    const entry = byId.get(at)
    if (!entry) throw new Error(`the parent ${at} is missing`)
    chain.unshift(entry)
  }
  return chain.flatMap(({ message: said }) => (said ? chatOf(said as Json) : []))
}

function parsed(line: string): Json[] {
  try {
    return [JSON.parse(line) as Json]
  } catch {
    return []
  }
}

function chatOf({ role, content, stopReason, toolCallId, isError }: Json): ChatMessage[] {
  const blocks = (typeof content === 'string' ? [{ type: 'text', text: content }] : content) as Json[]
  const texts = blocks.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : []))
  if (role === 'toolResult')
    return [message('tool', { results: [{ id: String(toolCallId), text: texts.join(''), isError: isError === true }] })]
  if (role === 'user') return [message('user', { texts })]
  if (stopReason === 'error' || stopReason === 'aborted') return []
  const calls = blocks.flatMap(({ type, id, name, arguments: input }) =>
    type === 'toolCall' ? [{ id: String(id), name: String(name), input }] : [],
  )
  return [message('assistant', { texts, calls })]
}

export const wordsOf = (path: string): string[] => wordsIn(readFileSync(path, 'utf8'))
