import type { Message } from '../../../core/conversation.ts'
import type { Edit } from '../../../core/edit.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import type { EditStep } from '../document-service.ts'
import { describeEdits, type ToolOf } from './describe-edit.ts'
import { MessageOrder } from './message-order.ts'
import { oneLine } from './one-line.ts'

/** A repair, edit by edit: what each edit does and where, and the messages at the end. */
export interface EditWalk {
  readonly edits: readonly Edit[]
  readonly steps: readonly EditStep[]
  readonly healed: readonly Message[]
  /** The step at which each message was first added, moved or changed, by its key. */
  readonly touches: ReadonlyMap<number, Touches>
}

export interface Touches {
  new?: number
  moved?: number
  changed?: number
}

/** Applies the edits of all repairs one by one. The diagnostic of an edit is the index of its repair. */
export function walkEdits(messages: readonly Message[], repairs: readonly Repair[]): EditWalk {
  const edits: Edit[] = []
  const steps: EditStep[] = []
  const touches = new Map<number, Touches>()
  if (repairs.length === 0) return { edits, steps, healed: messages, touches }
  const order = new MessageOrder(messages)
  const toolOf = toolsIn(messages)
  for (const [diagnostic, repair] of repairs.entries()) {
    const describe = describeEdits(repair, toolOf)
    for (const edit of repair.edits) {
      const key = keyOf(edit)
      const message = key === undefined ? undefined : order.get(key)
      const description = oneLine(describe(edit, message))
      const before = key === undefined || edit.kind === 'insert' ? undefined : order.rowOf(key)
      order.apply(edit)
      const isInPlace = edit.kind === 'replace' || edit.kind === 'rewrite'
      const after = isInPlace ? before : key === undefined ? undefined : order.rowOf(key)
      steps.push({
        diagnostic,
        description,
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

/** Finds the tool of a result without a name by its id. */
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
