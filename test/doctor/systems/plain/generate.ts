import { detect } from '../../../../src/index.ts'
import { codecs, history, validHistory } from '../../../laws/history.ts'
import type { Codec } from '../../../laws/plan.ts'
import { Random } from '../../../laws/random.ts'
import { readable } from '../../../strict/readable.ts'
import { homeOf } from './request.ts'

export type Files = Map<string, Buffer>

/** What a file holds: the codec of its messages, and how they are laid out in it. */
export interface Kind {
  codec: Codec
  form: 'list' | 'body' | 'lines'
}

/** Seeds go through all codecs and all forms. */
export const kindOf = (seed: number): Kind => ({
  codec: codecs[seed % codecs.length],
  form: forms[Math.floor(seed / codecs.length) % forms.length],
})

const forms = ['list', 'body', 'lines'] as const

/** A file with a conversation that its provider accepts. */
export const generate = (seed: number): Files => files(seed, valid(kindOf(seed).codec, seed))

/** A conversation that gives every call a unique id: not all providers accept one twice. */
function valid(codec: Codec, seed: number): unknown[] {
  const { messages, reusedIds } = validHistory(codec, seed)
  return reusedIds ? valid(codec, seed + 1_000_003) : messages
}

/** The same conversation, broken once to four times. */
export const corrupt = (seed: number, _store?: Files): Files => files(seed, broken(kindOf(seed).codec, seed))

/**
 * Odd seeds give histories in free form, which are not real conversations; some messages are unreadable, or of an
 * unclear format.
 */
function broken(codec: Codec, seed: number): readonly unknown[] {
  const home = homeOf(codec)
  const messages = readable(history(codec, seed * 2).messages, {
    dialect: home?.dialect ?? 'lenient',
    format: codec as never,
    provider: '',
    model: home?.model ?? '',
  })
  return detect(messages) === codec ? messages : broken(codec, seed + 1_000_003)
}

function files(seed: number, messages: readonly unknown[]): Files {
  const { codec, form } = kindOf(seed)
  const random = new Random(seed ^ 0xf11e)
  if (form === 'lines') {
    const lineBreak = random.chance(0.2) ? '\r\n' : '\n'
    const lines = messages.map(message => (random.chance(0.5) ? spaced(plain(message)) : JSON.stringify(message)))
    return file('chat.jsonl', lines.join(lineBreak) + (random.chance(0.7) ? lineBreak : ''))
  }
  const value = form === 'list' ? messages : bodyOf(codec, messages)
  const indent = random.pick([0, 2, 4, '\t'])
  const text = JSON.stringify(value, null, indent) + (random.chance(0.5) ? '\n' : '')
  return file('chat.json', random.chance(0.1) ? `\uFEFF${text}` : text)
}

const file = (path: string, text: string): Files =>
  new Map([[path, Buffer.from(text.replaceAll('"#1.0#"', '1.0').replaceAll('"#1e5#"', '1e5'))]])

/** A request with its history in the middle, and numbers that no JavaScript number can express as they were written. */
function bodyOf(codec: Codec, messages: readonly unknown[]): Record<string, unknown> {
  const around = { temperature: '#1.0#', metadata: { budget: '#1e5#' } }
  const key = codec === 'gemini' ? 'contents' : codec === 'openai-responses' ? 'input' : 'messages'
  if (codec === 'bedrock') return { modelId: 'anthropic.claude-sonnet-4-5-v1:0', [key]: messages, inferenceConfig: {} }
  if (codec === 'ag-ui') return { threadId: 't1', runId: 'r1', [key]: messages, ...around }
  return { stream: false, [key]: messages, ...around }
}

/** What JSON can say of a value. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Compact JSON with a space after every colon and comma, as other languages write it. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}: ${spaced(member)}`)
    .join(', ')}}`
}
