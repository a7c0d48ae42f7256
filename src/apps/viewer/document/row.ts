import type { Codec } from '../../../codecs/codec.ts'
import { isRecord, type Message, type Part, resultText } from '../../../core/conversation.ts'
import type { PairedCall } from '../../../core/pairing/paired-calls.ts'
import { isPlaceholder } from '../../../core/placeholder.ts'
import type { PartLabel } from '../document-service.ts'
import { deepJsonText } from './deep-json.ts'
import { oneLine, previewMax } from './one-line.ts'
import { readOtherContent, readResultContent } from './read-content.ts'

/** The start of a message on one line: its text, or else its call, result, other content or reasoning. */
export function previewOf({ parts }: Message, codec?: Codec): string {
  const spoken = parts.find(part => part.kind === 'text' && part.text.trim() !== '')
  const first = spoken ?? parts.find(part => part.kind !== 'reasoning') ?? parts[0]
  return first ? oneLine(partText(first, codec)) : ''
}

function partText(part: Part, codec: Codec | undefined): string {
  switch (part.kind) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'call':
      return `${part.name}(${typeof part.input === 'string' ? part.input.slice(0, 4 * previewMax) : deepJsonText(part.input, previewMax)})`
    case 'result': {
      const { content } = part
      if (typeof content === 'string') return content
      const text = resultText(part)
      if (text !== '') return text
      return readResultContent(part, codec)
        .map(piece =>
          piece.kind === 'text'
            ? piece.text
            : piece.kind === 'json'
              ? deepJsonText(piece.value, previewMax)
              : piece.type,
        )
        .join(' ')
    }
    case 'other': {
      const piece = readOtherContent(part, codec)
      return piece?.kind === 'media' ? piece.type : deepJsonText(part.raw, previewMax)
    }
  }
}

/** A label for each part of a message. */
export const partLabelsOf = (
  { parts }: Message,
  callOf: (slot: number) => PairedCall | undefined,
  codec?: Codec,
): PartLabel[] => parts.map((part, slot) => partLabelOf(part, () => callOf(slot), codec))

function partLabelOf(part: Part, callOf: () => PairedCall | undefined, codec: Codec | undefined): PartLabel {
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
        // In many formats only the call has the name of the tool.
        label: part.name || (callOf()?.part.name ?? ''),
        ...idOf(part.id),
        ...(part.error ? { error: true } : {}),
        ...(part.denied ? { denied: true } : {}),
        ...(isPlaceholder(part) ? { placeholder: true } : {}),
      }
    case 'other': {
      const piece = readOtherContent(part, codec)
      if (piece?.kind === 'media') return { kind: piece.type === 'image' ? 'image' : 'other', label: piece.type }
      const type = isRecord(part.raw) && typeof part.raw.type === 'string' ? oneLine(part.raw.type, 40) : ''
      return { kind: 'other', label: type || 'content' }
    }
  }
}

const idOf = (id: string): { id?: string } => (id === '' ? {} : { id })

/** The number of characters of a message. It is cached per value, since a page loads the same rows many times. */
export const sizeOf = ({ parts }: Message): number => parts.reduce((sum, part) => sum + lengthOf(partBody(part)), 0)

/** The content of a part, without names and ids. */
export function partBody(part: Part): unknown {
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
  const known = lengths.get(value) ?? deepJsonText(value).length
  lengths.set(value, known)
  return known
}

const lengths = new WeakMap<object, number>()
