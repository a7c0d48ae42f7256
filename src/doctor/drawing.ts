import type { Message, Part } from '../core/conversation.ts'
import type { Edit } from '../core/edit.ts'
import type { Diagnostic } from '../core/rules/check.ts'
import type { Repair } from '../core/rules/repair.ts'
import { unreadable } from './files/file-error.ts'
import type { Passage } from './script.ts'
import type { Drawing, DrawnRecord } from './system.ts'

/** What was found wrong with a conversation that is drawn. */
interface Found {
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
}

export const emptyDrawing: Drawing = { messages: [], repairs: [], remaining: [], records: [] }

/** Draws passages, whose parts name their records already. */
export const drawPassages = (
  passages: readonly Passage[],
  { repairs, remaining }: Found,
  records: readonly DrawnRecord[],
): Drawing => ({ messages: passages.map(({ message }) => message), repairs, remaining, records })

/**
 * Draws messages of a codec, each of them a record. Their parts know their place in the message; in a drawing they name the
 * message instead, also where an edit has put them into another one.
 */
export function drawMessages(
  messages: readonly Message[],
  { repairs, remaining }: Found,
  records: readonly DrawnRecord[],
): Drawing {
  const homes = new Map<Part, number | undefined>()
  const placed = (part: Part, home: number | undefined): Part => {
    const known = homes.has(part) ? homes.get(part) : home
    homes.set(part, known)
    const { slot: _, ...rest } = part
    return known === undefined ? rest : { ...rest, slot: known }
  }
  const drawn = (message: Message): Message => ({
    ...message,
    parts: message.parts.map(part => placed(part, message.origin)),
  })
  const redrawn = (edit: Edit): Edit => {
    switch (edit.kind) {
      case 'insert':
      case 'remove':
        return { ...edit, message: drawn(edit.message) }
      case 'replace':
        return { ...edit, before: drawn(edit.before), after: drawn(edit.after) }
      case 'rewrite': {
        const before = placed(edit.before, undefined)
        return { ...edit, before, after: placed(edit.after, before.slot) }
      }
      default:
        return edit
    }
  }
  return {
    messages: messages.map(drawn),
    repairs: repairs.map(repair => ({ ...repair, edits: repair.edits.map(redrawn) })),
    remaining,
    records,
  }
}

/**
 * A drawing in the words of the examination that it belongs to: each repair as its system tells it. What was mended in other
 * ways than by edits of messages, such as a torn line, is told without any.
 */
export function inWordsOf(told: Found, drawing: Drawing): Drawing {
  // What is left alone is drawn as it is.
  if (told.repairs.length === 0) return { ...drawing, repairs: [], remaining: told.remaining }
  const left = new Set(told.repairs)
  const words = new Map<Repair, Repair>()
  for (const isSame of likenesses) {
    for (const repair of drawing.repairs) {
      if (words.has(repair)) continue
      for (const one of left) {
        if (!isSame(one, repair)) continue
        words.set(repair, one)
        left.delete(one)
        break
      }
    }
  }
  const drawn = drawing.repairs.map(repair => ({ ...(words.get(repair) ?? repair), edits: repair.edits }))
  const others = [...left].map(repair => ({ ...repair, edits: [] }))
  return { ...drawing, repairs: [...others, ...drawn], remaining: told.remaining }
}

type Likeness = (one: Repair, other: Repair) => boolean

/** From the surest to the least sure. */
const likenesses: readonly Likeness[] = [
  (one, other) => one.rule === other.rule && one.at === other.at && one.callId === other.callId,
  (one, other) => one.rule === other.rule && one.at === other.at,
  (one, other) => one.rule === other.rule && one.callId !== undefined && one.callId === other.callId,
]

/** Collects records for a drawing. More than a browser can hold is refused. */
export class RecordList {
  readonly records: DrawnRecord[] = []
  readonly #path: string
  #length = 0

  constructor(path: string) {
    this.#path = path
  }

  push(at: string, text: string): void {
    this.#length += text.length
    if (this.#length > lengthMax)
      throw unreadable(
        this.#path,
        'it is too large to be drawn: more than 256 MB',
        'antiphon doctor tells what is wrong',
      )
    this.records.push({ at, text })
  }
}

const lengthMax = 256 * 1024 * 1024
