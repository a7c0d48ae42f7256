import type { CallPart, Message, Part, ResultPart } from '../../../core/conversation.ts'
import type { Edit } from '../../../core/edit.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import { shortenId } from '../../../core/rules/rule.ts'

/** The name of the tool of a result, if known. */
export type ToolOf = (result: ResultPart) => string

/** Describes each edit of a repair. `message` is the message that the edit acts on, before the edit. */
export function describeEdits(repair: Repair, toolOf: ToolOf): (edit: Edit, message: Message | undefined) => string {
  const moved = movedParts(repair)
  return (edit, message) => {
    switch (edit.kind) {
      case 'insert':
        return `Add ${added(edit.message, repair, toolOf)}`
      case 'remove':
        return moved.hasLeft(edit.message)
          ? `Remove ${nameOf(edit.message, toolOf)}: its content is in another message now`
          : `Remove ${dropped(edit.message, repair, toolOf)}`
      case 'move':
        return `Move ${nameOf(message, toolOf)} ${isResult(message) ? 'after its call' : titleOf(repair).replace(/^move it /, '')}`
      case 'replace':
        return moved.hasJoined(edit.before, edit.after)
          ? `Join another message into ${nameOf(edit.before, toolOf)}`
          : replaced(edit.before, edit.after, repair, toolOf)
      case 'rewrite':
        return rewritten(edit.before, edit.after, repair, toolOf)
      case 'set':
        return `Change what the request says: ${repair.message}, so ${titleOf(repair)}`
    }
  }
}

/** Parts that a repair moves from one message into another. */
function movedParts({ edits, class: of }: Repair): {
  /** Whether all parts of a removed message are in another message now. */
  hasLeft(message: Message): boolean
  /** Whether a message gets parts of another one. */
  hasJoined(before: Message, after: Message): boolean
} {
  const removed = new Set<Part>()
  const added = new Set<Part>()
  for (const edit of edits) {
    if (edit.kind === 'remove') for (const part of edit.message.parts) removed.add(part)
    const now = edit.kind === 'insert' ? edit.message : edit.kind === 'replace' ? edit.after : undefined
    for (const part of now?.parts ?? []) added.add(part)
  }
  // Parts are compared by identity. Merged text is a new part, and so is everything that was sent as JSON: in a repair that is not lossy,
  // the added parts are the removed ones.
  const isIdentical = [...removed].some(part => added.has(part))
  const isMerge = !isIdentical && of !== 'lossy' && removed.size > 0 && added.size > 0
  return {
    hasLeft: ({ parts }) => parts.length > 0 && (isMerge || parts.every(part => added.has(part))),
    hasJoined: (before, after) =>
      after.parts.length > before.parts.length && (isMerge || after.parts.some(part => removed.has(part))),
  }
}

const isResult = (message: Message | undefined): boolean => message?.parts[0]?.kind === 'result'

/** The description of the repair, without its class. */
const titleOf = ({ help }: Repair): string => help.replace(/ \(\w+\)$/, '')

/** What was wrong and what was done. The message of a repair of a limit says both. */
const reasonOf = (repair: Repair): string =>
  repair.help.startsWith('done ') ? repair.message : `${repair.message}, so ${titleOf(repair)}`

function added({ role, parts }: Message, { rule, message }: Repair, toolOf: ToolOf): string {
  const part = parts[0]
  if (part?.kind === 'result')
    return rule === 'unanswered-call'
      ? `a placeholder for ${callName(part, toolOf)}: no result was recorded`
      : `${resultName(part, toolOf)} as a message of its own: ${message}`
  const call = parts.find(part => part.kind === 'call')
  if (call) return `a message with the call of ${toolAndId(call)}: ${message}`
  return `${article(role)} message: ${message}`
}

function dropped(removed: Message, { rule, message }: Repair, toolOf: ToolOf): string {
  const part = removed.parts[0]
  if (part?.kind === 'result') {
    const id = part.id === '' ? '' : ` (${shortenId(part.id)})`
    if (rule === 'orphan-result') return `an orphan result${id}`
    if (rule === 'duplicate-result') return `a second result of ${callName(part, toolOf)}`
  }
  return `${nameOf(removed, toolOf)}: ${message}`
}

function replaced(before: Message, after: Message, repair: Repair, toolOf: ToolOf): string {
  const name = nameOf(before, toolOf)
  if (after.parts.length < before.parts.length) return `Remove a part of ${name}: ${repair.message}`
  return `${after.parts.length > before.parts.length ? 'Add to' : 'Change'} ${name}: ${reasonOf(repair)}`
}

function rewritten(before: Part, after: Part, repair: Repair, toolOf: ToolOf): string {
  const isRenamed = 'id' in before && 'id' in after && before.id !== after.id
  if (isRenamed) return `Rename ${partName(before, toolOf)} to ${shortenId(after.id)}: ${repair.message}`
  return `Change ${partName(before, toolOf)}: ${reasonOf(repair)}`
}

function nameOf(message: Message | undefined, toolOf: ToolOf): string {
  const part = message?.parts[0]
  if (!message || !part) return 'a message'
  if (message.role === 'tool') return partName(part, toolOf)
  const call = message.parts.find(part => part.kind === 'call')
  return call ? `the message that calls ${toolAndId(call)}` : `${article(message.role)} message`
}

function partName(part: Part, toolOf: ToolOf): string {
  switch (part.kind) {
    case 'call':
      return `the call of ${toolAndId(part)}`
    case 'result':
      return resultName(part, toolOf)
    case 'other':
      return 'a part'
    default:
      return part.kind === 'text' ? 'a text' : 'a piece of reasoning'
  }
}

const resultName = (part: ResultPart, toolOf: ToolOf): string => `the result of ${callName(part, toolOf)}`

const callName = (part: ResultPart, toolOf: ToolOf): string => named(toolOf(part), part.id)

const toolAndId = ({ name, id }: CallPart): string => named(name, id)

const named = (tool: string, id: string): string =>
  tool === ''
    ? id === ''
      ? 'a tool'
      : shortenId(id)
    : id === ''
      ? shortenId(tool)
      : `${shortenId(tool)} (${shortenId(id)})`

const article = (role: string): string => (role === 'other' ? 'a' : role === 'assistant' ? 'an assistant' : `a ${role}`)
