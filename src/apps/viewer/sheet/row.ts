import type { Codec } from '../../../codecs/codec.ts'
import { isRecord, type Message, type Part, resultText } from '../../../core/conversation.ts'
import type { PairedCall } from '../../../core/pairing/paired-calls.ts'
import { isPlaceholder } from '../../../core/placeholder.ts'
import type { Piece } from '../desk.ts'
import { jsonText } from './json-text.ts'
import { oneLine, wordsMax } from './one-line.ts'
import { saidByOther, saidByResult } from './said.ts'
import type { Stage } from './stage.ts'

/** The first words of a message on one line: what was said, or else what was thought, called or shown. */
export function wordsOf({ parts }: Message, codec?: Codec): string {
  const spoken = parts.find(part => part.kind === 'text' && part.text.trim() !== '')
  const first = spoken ?? parts.find(part => part.kind !== 'reasoning') ?? parts[0]
  return first ? oneLine(wordsOfPart(first, codec)) : ''
}

function wordsOfPart(part: Part, codec: Codec | undefined): string {
  switch (part.kind) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'call':
      return `${part.name}(${typeof part.input === 'string' ? part.input.slice(0, 4 * wordsMax) : jsonText(part.input, wordsMax)})`
    case 'result': {
      const { content } = part
      if (typeof content === 'string') return content
      const words = resultText(part)
      if (words !== '') return words
      return saidByResult(part, codec)
        .map(said =>
          said.kind === 'text' ? said.text : said.kind === 'json' ? jsonText(said.value, wordsMax) : said.type,
        )
        .join(' ')
    }
    case 'other': {
      const said = saidByOther(part, codec)
      return said?.kind === 'media' ? said.type : jsonText(part.raw, wordsMax)
    }
  }
}

/** What a message holds, a piece for each part. */
export const piecesOf = (stage: Stage, row: number, codec?: Codec): Piece[] =>
  stage.messages[row].parts.map((part, slot) => pieceOf(part, () => stage.callOf(row, slot), codec))

function pieceOf(part: Part, callOf: () => PairedCall | undefined, codec: Codec | undefined): Piece {
  switch (part.kind) {
    case 'text':
      return { kind: 'text', label: 'text' }
    case 'reasoning':
      return { kind: 'reasoning', label: 'reasoning' }
    case 'call':
      return { kind: 'call', label: part.name, ...idOf(part.id) }
    case 'result':
      return {
        kind: 'result',
        // Many wires leave it to the call to say which tool it was.
        label: part.name || (callOf()?.part.name ?? ''),
        ...idOf(part.id),
        ...(part.error ? { error: true } : {}),
        ...(part.denied ? { denied: true } : {}),
        ...(isPlaceholder(part) ? { placeholder: true } : {}),
      }
    case 'other': {
      const said = saidByOther(part, codec)
      if (said?.kind === 'media') return { kind: said.type === 'image' ? 'image' : 'other', label: said.type }
      const type = isRecord(part.raw) && typeof part.raw.type === 'string' ? oneLine(part.raw.type, 40) : ''
      return { kind: 'other', label: type || 'content' }
    }
  }
}

const idOf = (id: string): { id?: string } => (id === '' ? {} : { id })

/** How many characters a message holds. Values are measured once, since a page asks for the same rows many times. */
export const sizeOf = ({ parts }: Message): number => parts.reduce((sum, part) => sum + lengthOf(bodyOf(part)), 0)

/** What a part says, without its names and ids. */
export function bodyOf(part: Part): unknown {
  switch (part.kind) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'call':
      return part.input
    case 'result':
      return part.content
    case 'other':
      return part.raw
  }
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : String(value).length
  const known = lengths.get(value) ?? jsonText(value).length
  lengths.set(value, known)
  return known
}

const lengths = new WeakMap<object, number>()
