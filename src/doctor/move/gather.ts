import { isRecord } from '../../core/conversation.ts'
import type { DialectId } from '../../core/dialects/index.ts'
import type { Diagnostic } from '../../core/rules/check.ts'
import type { Repair } from '../../core/rules/repair.ts'
import { repair } from '../../heal/heal.ts'
import { type SessionCall, type SessionMessage, type SessionPart, sessionMessages } from '../extract/session.ts'
import { omittedNote } from '../extract/to-chat.ts'
import type { Drawing } from '../system.ts'
import { imageIn } from './image.ts'
import { mappedCall } from './map-tool.ts'
import type { MovedImage, MovedMessage, MovedPart, MovedResult } from './moved-session.ts'
import { recordTime } from './record-time.ts'
import { withoutLoneSurrogates } from './well-formed.ts'

export interface GatherOptions {
  /** The program that stored the session, and the one that will continue it. */
  readonly from: string
  readonly to: string
  /** The provider that will read it. */
  readonly dialect: DialectId
  readonly cwd: string
  /** The current time, for a session that has no times. */
  readonly now: number
}

/** What a session says, ready for another program. */
export interface GatheredSession {
  readonly messages: readonly MovedMessage[]
  /** How many of each are not copied. */
  readonly notCopied: { readonly reasoning: number; readonly instructions: number; readonly others: number }
  /** What the provider would have rejected. */
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
  /** How many calls have the name of the other program's tool. */
  readonly renamed: number
}

/** The messages of a drawn session, with their calls renamed and repaired for a provider. */
export function gatherSession(drawing: Drawing, options: GatherOptions): GatheredSession {
  const writer = new BlockWriter(drawing, options)
  for (const message of sessionMessages(drawing)) writer.add(message)
  const { messages, repairs, remaining } = repair(writer.history, { format: 'anthropic', for: options.dialect })
  const { notCopied, renamed } = writer
  const all = [...repairs]
  const whole = withoutLoneSurrogates(withResults(messages, writer.times, options.now), all)
  return { messages: whole, notCopied, repairs: all, remaining, renamed }
}

/** The blocks of Anthropic's format, in which calls, errors and images can be repaired for every provider. */
type Block =
  | { readonly type: 'text'; readonly text: string }
  | ImageBlock
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: Record<string, unknown> }
  | ResultBlock

interface ImageBlock {
  readonly type: 'image'
  readonly source: { readonly type: 'base64'; readonly media_type: string; readonly data: string }
}

interface ResultBlock {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly is_error?: boolean
  readonly content?: string | readonly Block[]
}

interface BlockMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string | readonly Block[]
}

/** Writes a session in the format that it is repaired in, and remembers the time of each message and result. */
class BlockWriter {
  readonly history: BlockMessage[] = []
  readonly times = new Map<BlockMessage | string, number>()
  readonly notCopied = { reasoning: 0, instructions: 0, others: 0 }
  renamed = 0
  readonly #drawing: Drawing
  readonly #options: GatherOptions
  /** A record may hold thousands of results, and is parsed once for all of them. */
  readonly #recordTimes = new Map<number, number | undefined>()
  /** The text of an assistant whose calls may be in the next message. */
  #text: { readonly content: readonly Block[]; readonly time: number | undefined } | undefined

  constructor(drawing: Drawing, options: GatherOptions) {
    this.#drawing = drawing
    this.#options = options
  }

  get #last(): BlockMessage | undefined {
    return this.history.at(-1)
  }

  add({ role, parts, record }: SessionMessage): void {
    if (role === 'system') {
      this.notCopied.instructions++
      return
    }
    const content = parts.flatMap(part => this.#blocks(part, role))
    if (content.length === 0) return
    const time = this.#time(record)
    const text =
      role === 'assistant' && this.#text && this.#last?.content === this.#text.content ? this.#text : undefined
    if (text) this.history.pop()
    const whole = [...(text?.content ?? []), ...content]
    this.#push({ role, content: whole }, text?.time ?? time)
    const results = parts.flatMap(part => (part.kind === 'call' ? this.#results(part) : []))
    const calls = parts.some(({ kind }) => kind === 'call')
    this.#text = role === 'assistant' && !calls ? { content: whole, time: text?.time ?? time } : undefined
    if (results.length > 0) this.#push({ role: 'user', content: results }, undefined)
  }

  #push(message: BlockMessage, time: number | undefined): void {
    this.history.push(message)
    if (time !== undefined) this.times.set(message, time)
  }

  #time(record: number | undefined): number | undefined {
    if (record === undefined) return undefined
    if (!this.#recordTimes.has(record)) this.#recordTimes.set(record, recordTime(this.#drawing.records[record]?.text))
    return this.#recordTimes.get(record)
  }

  #blocks(part: SessionPart, role: 'user' | 'assistant'): Block[] {
    if (part.kind === 'text') return [{ type: 'text', text: part.text }]
    if (part.kind === 'call') {
      const { from, to, cwd } = this.#options
      const call = { name: part.name, input: isRecord(part.input) ? part.input : { input: part.input } }
      const mapped = mappedCall(call, from, to, cwd)
      if (mapped !== call) this.renamed++
      return [{ type: 'tool_use', id: part.id, name: mapped.name, input: { ...mapped.input } }]
    }
    if (part.kind === 'reasoning') this.notCopied.reasoning++
    else if (role === 'assistant') this.notCopied.others++
    else return [this.#content(part.raw)]
    return []
  }

  #results({ id, result }: SessionCall): ResultBlock[] {
    if (!result) return []
    const time = this.#time(result.record)
    if (time !== undefined) this.times.set(id, time)
    const others = result.others.map(raw => this.#content(raw))
    const text: Block[] = result.text === '' ? [] : [{ type: 'text', text: result.text }]
    const content = others.length === 0 ? result.text : [...text, ...others]
    return [{ type: 'tool_result', tool_use_id: id, content, ...(result.isError ? { is_error: true } : {}) }]
  }

  /** An image, or a text that says what was left out. */
  #content(raw: unknown): Block {
    const image = imageIn(raw)
    if (image) return { type: 'image', source: { type: 'base64', media_type: image.mediaType, data: image.data } }
    this.notCopied.others++
    return { type: 'text', text: omittedNote(raw) }
  }
}

/** Messages with the results next to their calls, each later than the one before it. */
function withResults(
  history: readonly BlockMessage[],
  times: ReadonlyMap<BlockMessage | string, number>,
  now: number,
): MovedMessage[] {
  const results = new Map<string, ResultBlock>()
  for (const { content } of history)
    if (typeof content !== 'string')
      for (const block of content) if (block.type === 'tool_result') results.set(block.tool_use_id, block)
  const clock = new Clock([...times.values()].reduce((one, other) => Math.min(one, other), now))
  const part = (block: Block): MovedPart[] => {
    if (block.type === 'text') return [{ kind: 'text', text: block.text }]
    if (block.type === 'image') return [movedImage(block)]
    if (block.type === 'tool_result') return []
    const { id, name, input } = block
    return [{ kind: 'call', id, name, input, result: movedResult(results.get(id), clock.at(times.get(id))) }]
  }
  const messages: MovedMessage[] = []
  for (const message of history) {
    const blocks = typeof message.content === 'string' ? [textBlock(message.content)] : message.content
    for (const group of splitAfterCalls(blocks.filter(({ type }) => type !== 'tool_result'))) {
      const time = clock.at(times.get(message))
      messages.push({ role: message.role, time, parts: group.flatMap(part) })
    }
  }
  return messages
}

const textBlock = (text: string): Block => ({ type: 'text', text })

const movedImage = ({ source }: ImageBlock): MovedImage => ({
  kind: 'image',
  mediaType: source.media_type,
  data: source.data,
})

function movedResult(result: ResultBlock | undefined, time: number): MovedResult {
  const { content = '', is_error: isError = false } = result ?? {}
  const blocks = typeof content === 'string' ? [textBlock(content)] : content
  return {
    time,
    isError,
    text: blocks.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n'),
    images: blocks.flatMap(block => (block.type === 'image' ? [movedImage(block)] : [])),
  }
}

/** Text after a call becomes a message of its own, after the results. */
function splitAfterCalls(blocks: readonly Block[]): (readonly Block[])[] {
  const groups: Block[][] = []
  let last: Block | undefined
  for (const block of blocks) {
    if (!last || (last.type === 'tool_use' && block.type !== 'tool_use')) groups.push([])
    groups.at(-1)?.push(block)
    last = block
  }
  return groups
}

/** Returns strictly increasing times, because programs sort records by time. */
class Clock {
  #last: number

  constructor(start: number) {
    this.#last = start - 1
  }

  at(time: number | undefined): number {
    this.#last = Math.max(this.#last + 1, time ?? 0)
    return this.#last
  }
}
