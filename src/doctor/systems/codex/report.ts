import type { EditClass } from '../../../core/choices.ts'
import type { CallPart, Message, Part, ResultPart } from '../../../core/conversation.ts'
import type { Edit } from '../../../core/edit.ts'
import type { Diagnostic } from '../../../core/rules/check.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import type { HistoryDefect } from './defect.ts'
import type { RolloutItem } from './item.ts'
import { abortedText } from './item-text.ts'
import { lineOf, type RolloutScan } from './scan.ts'

/** The rule, message and help of a defect, and the provider's error message for it. */
interface Words {
  readonly rule: string
  readonly class: EditClass
  readonly message: string
  readonly help: string
  readonly refusal?: string
}

export const repairOf = (defect: HistoryDefect, scan: RolloutScan): Repair => {
  const { class: kind } = wordsFor(defect)
  return { ...diagnosticOf(defect, scan), class: kind, edits: editsOf(defect) }
}

export function diagnosticOf(defect: HistoryDefect, scan: RolloutScan): Diagnostic {
  const { rule, message, help, refusal } = wordsFor(defect)
  const callId = defect.kind === 'nameless' ? defect.id : defect.item.callId
  return {
    rule,
    severity: 'error',
    at: itemPlace(defect.item, scan),
    ...(callId ? { callId } : {}),
    message,
    help,
    ...(refusal === undefined ? {} : { refusal }),
  }
}

/** A place as it is found in the file. */
export function itemPlace({ piece, inner }: Pick<RolloutItem, 'piece' | 'inner'>, scan: RolloutScan): string {
  if (piece < 0) return 'the rollout that this one was forked from'
  const line = `line ${lineOf(scan, piece) + 1}`
  return inner < 0 ? line : `${line}, replacement_history[${inner}]`
}

function wordsFor(defect: HistoryDefect): Words {
  const { item } = defect
  const id = item.callId ?? ''
  const noun = item.isShell ? 'local shell call' : nouns[item.family ?? 'function']
  switch (defect.kind) {
    case 'repeated':
      return {
        rule: 'repeated-item',
        class: 'lossless',
        message: 'this item was written twice',
        help: 'leave the second one out (lossless)',
        refusal: 'Duplicate item found with this id. Remove duplicate items from your input and try again.',
      }
    case 'taken-id':
      return {
        rule: 'repeated-item',
        class: 'lossless',
        message: 'another item has the id of this one',
        help: 'keep it without its id (lossless)',
        refusal: 'Duplicate item found with this id. Remove duplicate items from your input and try again.',
      }
    case 'nameless':
      return {
        rule: 'empty-id',
        class: 'lossless',
        message: 'this call has no id, so nothing can answer it',
        help: `give it the id ${defect.id} (lossless)`,
      }
    case 'reused':
      return {
        rule: 'duplicate-call-id',
        class: 'lossless',
        message: `an earlier call has the id ${id} too`,
        help: `give this one and its result the id ${defect.id} (lossless)`,
        refusal: `Duplicate function_call_output for call_id '${id}'.`,
      }
    case 'unanswered':
      return {
        rule: 'unanswered-call',
        class: 'synthetic',
        message: `call ${id || 'without an id'} has no result`,
        help: `answer it with ${item.family === 'search' ? 'no tools' : `"${abortedText}"`}, as Codex does (synthetic)`,
        refusal: `No tool output found for ${noun} ${id}.`,
      }
    case 'misplaced':
      return {
        rule: 'misplaced-result',
        class: 'lossless',
        message: `the result of call ${id} does not follow it`,
        help: 'move it after its call (lossless)',
      }
    case 'mismatched':
      return {
        rule: 'mismatched-result',
        class: 'lossless',
        message: `the result of call ${id} is written as that of another kind of call`,
        help: 'write it as the kind that its call asks for (lossless)',
        refusal: `No tool call found for ${noun} output with call_id ${id}.`,
      }
    case 'duplicate':
      return {
        rule: 'duplicate-result',
        class: 'lossy',
        message: `call ${id} has another result already`,
        help: 'leave this one out (lossy)',
        refusal: `Duplicate function_call_output for call_id '${id}'.`,
      }
    case 'orphan':
      return {
        rule: 'orphan-result',
        class: 'lossy',
        message: id === '' ? 'this result names no call' : `no call has the id ${id} of this result`,
        help: 'leave it out (lossy)',
        refusal: `No tool call found for ${noun} output with call_id ${id}.`,
      }
    case 'lone':
      return {
        rule: 'reasoning-without-follower',
        class: 'lossless',
        message: 'what this reasoning led to is not there',
        help: 'keep it without its id, which binds it to that (lossless)',
        refusal: "Item of type 'reasoning' was provided without its required following item.",
      }
  }
}

const nouns = { function: 'function call', custom: 'custom tool call', search: 'tool search call' } as const

/** The edits of a defect. The key of a message is its index among the records. */
function editsOf(defect: HistoryDefect): Edit[] {
  const { item } = defect
  const key = item.piece
  const remove: Edit = { kind: 'remove', after: key - 1, message: messageOf(item) }
  switch (defect.kind) {
    case 'repeated':
    case 'duplicate':
    case 'orphan':
      return [remove]
    case 'misplaced':
      return [{ kind: 'move', key, from: key - 1, to: defect.seat.piece }]
    case 'unanswered': {
      const result: ResultPart = { ...partOf(item, 'result'), content: abortedText }
      const message: Message = { key: -2 - key, role: 'tool', parts: [result] }
      return [{ kind: 'insert', after: defect.seat?.piece ?? key, message }]
    }
    case 'nameless':
    case 'reused': {
      const before = partOf(item, 'call')
      return [{ kind: 'rewrite', key, index: 0, before, after: { ...before, id: defect.id } }]
    }
    case 'mismatched': {
      const before = partOf(item, 'result')
      return [{ kind: 'rewrite', key, index: 0, before, after: { ...before, sort: defect.call.family ?? 'function' } }]
    }
    default: {
      const before: Part = { kind: 'other', itemId: 'id' }
      return [{ kind: 'rewrite', key, index: 0, before, after: { kind: 'other' } }]
    }
  }
}

function messageOf(item: RolloutItem): Message {
  const role = item.kind === 'result' ? 'tool' : 'assistant'
  const part: Part = item.kind === 'result' || item.kind === 'call' ? partOf(item, item.kind) : { kind: 'other' }
  return { key: item.piece, origin: item.piece, role, parts: [part] }
}

function partOf(item: RolloutItem, kind: 'call'): CallPart
function partOf(item: RolloutItem, kind: 'result'): ResultPart
function partOf(item: RolloutItem, kind: 'call' | 'result'): CallPart | ResultPart
function partOf(
  { callId = '', family = 'function', piece }: RolloutItem,
  kind: 'call' | 'result',
): CallPart | ResultPart {
  const common = { id: callId, sort: family, by: 'client', slot: piece } as const
  return kind === 'call' ? { kind, ...common, name: '', input: {} } : { kind, ...common, content: '' }
}
