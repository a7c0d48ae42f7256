import { isRecord } from '../../core/conversation.ts'
import { GrowingText } from '../shared/growing-text.ts'
import type { ReplyDelta } from '../shared/reply.ts'
import { text } from '../shared/text.ts'

/**
 * Content that arrives in pieces: texts, or lists of blocks. Adjacent blocks of text or of thinking are joined. As long as
 * there were only texts, it is a text.
 */
export class GrowingContent {
  readonly #blocks: (Growing | { readonly raw: unknown })[] = []
  #isText = true
  /** The value for "no text": the first that arrived. */
  #nothing: '' | null | undefined

  add(piece: unknown, deltas: ReplyDelta[]): void {
    if (this.#nothing === undefined && piece !== undefined) this.#nothing = piece === null ? null : ''
    if (typeof piece === 'string') this.#grow('text', piece, deltas)
    if (!Array.isArray(piece)) return
    this.#isText = false
    for (const block of piece) {
      if (isRecord(block) && block.type === 'text' && typeof block.text === 'string')
        this.#grow('text', block.text, deltas)
      else if (isRecord(block) && block.type === 'thinking') this.#grow('thinking', thoughtOf(block.thinking), deltas)
      else this.#blocks.push({ raw: block })
    }
  }

  /** A text, a list of blocks, or a value that is neither. */
  get value(): unknown {
    if (this.#blocks.length === 0) return this.#nothing ?? null
    if (this.#isText) return this.#blocks.map(block => ('words' in block ? block.words.text : '')).join('')
    return this.#blocks.map(block => ('words' in block ? written(block) : block.raw))
  }

  #grow(type: Growing['type'], words: string, deltas: ReplyDelta[]): void {
    if (words === '') return
    const last = this.#blocks.at(-1)
    if (last && 'words' in last && last.type === type) last.words.add(words)
    else this.#blocks.push({ type, words: new GrowingText(words) })
    deltas.push({ kind: type === 'text' ? 'text' : 'reasoning', text: words })
  }
}

interface Growing {
  readonly type: 'text' | 'thinking'
  readonly words: GrowingText
}

const written = ({ type, words }: Growing): unknown =>
  type === 'text' ? { type, text: words.text } : { type, thinking: [{ type: 'text', text: words.text }] }

/** Thinking is a text, or a list of them. */
const thoughtOf = (thinking: unknown): string =>
  Array.isArray(thinking) ? thinking.map(block => (isRecord(block) ? text(block.text) : '')).join('') : text(thinking)
