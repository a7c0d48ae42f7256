import type { Message } from '../../../core/conversation.ts'
import type { Edit } from '../../../core/edit.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import type { Step } from '../desk.ts'
import { oneLine } from './one-line.ts'
import { Order } from './order.ts'
import { type ToolOf, wordsFor } from './says.ts'

/** A repair edit by edit: what each does, and where, and what the sheet is at the end. */
export interface Walk {
  readonly edits: readonly Edit[]
  readonly steps: readonly Step[]
  readonly healed: readonly Message[]
  /** When each message was first made up, moved or changed: at these steps, by its key. */
  readonly touches: ReadonlyMap<number, Touches>
}

export interface Touches {
  new?: number
  moved?: number
  changed?: number
}

/** Walks through the edits of all repairs; the mark of each is the repair that it belongs to. */
export function walk(messages: readonly Message[], repairs: readonly Repair[]): Walk {
  const edits: Edit[] = []
  const steps: Step[] = []
  const touches = new Map<number, Touches>()
  if (repairs.length === 0) return { edits, steps, healed: messages, touches }
  const order = new Order(messages)
  const toolOf = toolsIn(messages)
  for (const [mark, repair] of repairs.entries()) {
    const says = wordsFor(repair, toolOf)
    for (const edit of repair.edits) {
      const key = keyOf(edit)
      const message = key === undefined ? undefined : order.get(key)
      const said = oneLine(says(edit, message))
      const before = key === undefined || edit.kind === 'insert' ? undefined : order.rowOf(key)
      order.apply(edit)
      const isInPlace = edit.kind === 'replace' || edit.kind === 'rewrite'
      const after = isInPlace ? before : key === undefined ? undefined : order.rowOf(key)
      steps.push({
        mark,
        says: said,
        kind: edit.kind,
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
        rows: order.length,
      })
      edits.push(edit)
      touch(touches, key, edit, edits.length)
    }
  }
  return { edits, steps, healed: order.messages, touches }
}

/** Tells the tool of a result that does not say it itself, by its id. */
function toolsIn(messages: readonly Message[]): ToolOf {
  const tools = new Map<string, string>()
  for (const { parts } of messages) for (const part of parts) if (part.kind === 'call') tools.set(part.id, part.name)
  return ({ name, id }) => name || (tools.get(id) ?? '')
}

/** The message that an edit acts on. */
export function keyOf(edit: Edit): number | undefined {
  switch (edit.kind) {
    case 'insert':
    case 'remove':
      return edit.message.key
    case 'move':
    case 'rewrite':
      return edit.key
    case 'replace':
      return edit.before.key
    case 'set':
      return undefined
  }
}

function touch(touches: Map<number, Touches>, key: number | undefined, { kind }: Edit, step: number): void {
  if (key === undefined || kind === 'remove' || kind === 'set') return
  const known = touches.get(key) ?? {}
  touches.set(key, known)
  if (kind === 'insert') known.new ??= step
  else if (kind === 'move') known.moved ??= step
  else known.changed ??= step
}
