import type { Document } from '../protocol.ts'
import { documentBytesMax, tooLarge } from './limits.ts'

/** The maximum number of messages and characters of the head of a document. */
const headMessages = 200
const headLength = 512 * 1024

/** A document as JSON text in pieces, since a single string may be too long for the engine. */
export function encodeDocument(document: Document): string[] {
  const pieces: string[] = []
  let piece = ''
  let length = 0
  const write = (text: string): void => {
    piece += text
    length += text.length
    if (length > documentBytesMax) throw tooLarge(document.name)
    if (piece.length < pieceLength) return
    pieces.push(piece)
    piece = ''
  }
  let isFirst = true
  for (const [key, value] of Object.entries(document)) {
    if (value === undefined) continue
    write(`${isFirst ? '{' : ','}${JSON.stringify(key)}:`)
    isFirst = false
    if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) write(`${index === 0 ? '[' : ','}${text(element)}`)
      write(value.length === 0 ? '[]' : ']')
    } else write(text(value))
  }
  pieces.push(`${piece}}`)
  return pieces
}

const pieceLength = 256 * 1024

const text = (value: unknown): string => JSON.stringify(value) ?? 'null'

/** The first elements of a list, at least one. `more` is the length of what belongs to an element. */
export function firstMessages<Element>(
  list: readonly Element[],
  more: (element: Element) => number = () => 0,
): readonly Element[] {
  let length = 0
  const end = list.slice(0, headMessages).findIndex(element => {
    length += text(element).length + more(element)
    return length > headLength
  })
  return list.slice(0, end < 0 ? headMessages : Math.max(end, 1))
}
