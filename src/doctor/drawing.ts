import type { Message, Part } from '../core/conversation.ts'
import type { Edit } from '../core/edit.ts'
import type { Diagnostic } from '../core/rules/check.ts'
import type { Repair } from '../core/rules/repair.ts'
import { fileError } from './files/file-error.ts'
import type { MessageRecords } from './record-format.ts'
import type { Drawing, DrawnRecord } from './system.ts'

/** The diagnostics of a drawn conversation. */
interface Found {
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
}

export const emptyDrawing: Drawing = { messages: [], repairs: [], remaining: [], records: [] }

/** Draws messages whose parts already name their records. */
export const drawMessageRecords = (
  messageRecords: readonly MessageRecords[],
  { repairs, remaining }: Found,
  records: readonly DrawnRecord[],
): Drawing => ({ messages: messageRecords.map(({ message }) => message), repairs, remaining, records })

/**
 * Draws messages of a codec, each of them a record. Their parts know their position in the message; in a drawing they
 * name the message instead, even after an edit moved them into another one.
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
  const drawn = { messages, repairs, remaining, records }
  return withParts(drawn, (part, _, origin) => [placed(part, origin)])
}

/**
 * A drawing with other parts, in its messages and its edits. `change` gets a part, the role of its message and the
 * record of the message. For a rewrite, the old part has no record, and the new part has the record of the old one. A
 * part may become several only if no edit refers to the index of a later part.
 */
export function withParts(
  { messages, repairs, ...rest }: Drawing,
  change: (part: Part, role: Message['role'], origin: number | undefined) => readonly Part[],
): Drawing {
  const drawn = (message: Message): Message => ({
    ...message,
    parts: message.parts.flatMap(part => change(part, message.role, message.origin)),
  })
  const one = (part: Part, origin: number | undefined): Part => change(part, 'assistant', origin)[0] ?? part
  const redrawn = (edit: Edit): Edit => {
    switch (edit.kind) {
      case 'insert':
      case 'remove':
        return { ...edit, message: drawn(edit.message) }
      case 'replace':
        return { ...edit, before: drawn(edit.before), after: drawn(edit.after) }
      case 'rewrite': {
        const before = one(edit.before, undefined)
        return { ...edit, before, after: one(edit.after, before.slot) }
      }
      default:
        return edit
    }
  }
  return {
    ...rest,
    messages: messages.map(drawn),
    repairs: repairs.map(repair => ({ ...repair, edits: repair.edits.map(redrawn) })),
  }
}

/**
 * A drawing with the repairs of the examination that it belongs to, as its system describes them. Repairs that are not
 * edits of messages, such as of a torn line, have no edits.
 */
export function withRepairTexts(examined: Found, drawing: Drawing): Drawing {
  // Without repairs, the drawing stays as it is.
  if (examined.repairs.length === 0) return { ...drawing, repairs: [], remaining: examined.remaining }
  const left = new Set(examined.repairs)
  const words = new Map<Repair, Repair>()
  for (const isSame of sameRepair) {
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
  return { ...drawing, repairs: [...others, ...drawn], remaining: examined.remaining }
}

type RepairComparison = (one: Repair, other: Repair) => boolean

/** From the most to the least certain. */
const sameRepair: readonly RepairComparison[] = [
  (one, other) => one.rule === other.rule && one.at === other.at && one.callId === other.callId,
  (one, other) => one.rule === other.rule && one.at === other.at,
  (one, other) => one.rule === other.rule && one.callId !== undefined && one.callId === other.callId,
]

/** Collects records for a drawing. More than a browser can hold is an error. */
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
      throw fileError(
        this.#path,
        'it is too large to be drawn: more than 256 MB',
        'run antiphon doctor to see what is wrong',
      )
    this.records.push({ at, text })
  }
}

const lengthMax = 256 * 1024 * 1024
