import type { Diagnostic } from '../../../core/rules/check.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import { recordsLeft } from '../../examine-entries.ts'
import type { JudgementSum } from '../../examine-lines.ts'
import type { RolloutItem } from './item.ts'
import { abortedText } from './item-text.ts'
import type { PlannedEdits } from './plan-edits.ts'
import { recordAt, storedId } from './record-format.ts'
import { lineOf, type RolloutScan } from './scan.ts'

/** A diagnostic, and the item that it is about. */
export interface Found<Kind extends Diagnostic> {
  readonly item: RolloutItem
  readonly found: Kind
}

export interface RolloutReport {
  readonly repairs: readonly Found<Repair>[]
  readonly remaining: readonly Found<Diagnostic>[]
  /** Results without a call that stay: Codex itself leaves them out. */
  readonly passed: readonly RolloutItem[]
}

/** What was judged, without what stays as it is, in the order of the rollout and in words for its users. */
export function reportOf(
  { repairs, moved, remaining }: Pick<JudgementSum, 'repairs' | 'moved' | 'remaining'>,
  scan: RolloutScan,
  { unmoved, left }: Pick<PlannedEdits, 'unmoved' | 'left'>,
): RolloutReport {
  const { items } = scan.history
  const repaired: Found<Repair>[] = []
  const staying: Found<Diagnostic>[] = []
  const passed: RolloutItem[] = []
  for (const repair of repairs) {
    const isMove = placements.has(repair.rule)
    const record = isMove ? moved.get(repair) : recordAt(repair.at)
    const found = { item: items.item(record ?? 0), found: repair }
    const isMade = record === undefined || !(isMove ? unmoved : left).has(record)
    if (isMade) {
      repaired.push(found)
      for (const other of othersChanged(repair, record))
        repaired.push({ item: items.item(other), found: { ...repair, edits: [] } })
    } else if (repair.rule === 'orphan-result') passed.push(found.item)
    else if (repair.rule === 'unanswered-call') staying.push(found)
    else if (!isMove) repaired.push(found)
  }
  for (const diagnostic of remaining) {
    const found = { item: items.item(recordAt(diagnostic.at)), found: diagnostic }
    if (diagnostic.rule === 'orphan-result') passed.push(found.item)
    else if (!placements.has(diagnostic.rule)) staying.push(found)
  }
  const word = <Kind extends Diagnostic>({ item, found }: Found<Kind>): Found<Kind> => {
    const { callId } = found
    const named = callId ? { callId: storedId(callId) } : {}
    const words = wordsFor(found, item)
    return { item, found: { ...found, ...named, at: itemPlace(item, scan), ...words } }
  }
  return {
    repairs: repaired.toSorted(byPlace).map(word),
    remaining: staying.toSorted(byPlace).map(one => {
      const { class: _, edits: __, ...found } = word(one).found as Repair
      return { item: one.item, found }
    }),
    passed: passed.toSorted((a, b) => a.piece - b.piece),
  }
}

const byPlace = ({ item: a }: Found<Diagnostic>, { item: b }: Found<Diagnostic>): number =>
  a.piece - b.piece || a.inner - b.inner

/** A place as it is found in the file. */
export function itemPlace({ piece, inner }: Pick<RolloutItem, 'piece' | 'inner'>, scan: RolloutScan): string {
  if (piece < 0) return 'the rollout that this one was forked from'
  const line = `line ${lineOf(scan, piece) + 1}`
  return inner < 0 ? line : `${line}, replacement_history[${inner}]`
}

/** The rules whose repair moves a result: only where records may move. */
const placements: ReadonlySet<string> = new Set(['early-result', 'interleaved-message', 'misplaced-result'])

/** The rules that report several parts of a message as one. */
const together: ReadonlySet<string> = new Set(['repeated-item', 'reasoning-without-follower'])

/**
 * The other items that a repair removes or rewrites, if its rule reports the parts of a message together: users look for each
 * where it is.
 */
function othersChanged({ rule, edits: [edit] }: Repair, record: number | undefined): number[] {
  if (!edit || !together.has(rule)) return []
  return [...new Set(recordsLeft(edit))].filter(other => other !== record)
}

type Words = Partial<Pick<Diagnostic, 'rule' | 'message' | 'help' | 'refusal'>>

/** The texts of a diagnostic, where the texts of its rule do not fit records. */
function wordsFor(found: Diagnostic, item: RolloutItem): Words {
  const id = storedId(found.callId ?? item.callId ?? '')
  const noun = item.isShell ? 'local shell call' : nouns[item.family ?? 'function']
  const isRewritten = 'edits' in found && (found as Repair).edits.some(({ kind }) => kind === 'rewrite')
  const isRepeated = found.rule === 'repeated-step' || (found.rule === 'duplicate-call-id' && !isRewritten)
  switch (isRepeated ? 'repeated-item' : found.rule) {
    case 'repeated-item':
      return {
        rule: 'repeated-item',
        ...(isRewritten
          ? { message: 'another item has the id of this one', help: 'keep it without its id (lossless)' }
          : { message: 'this item was written twice', help: 'leave the second one out (lossless)' }),
        refusal: 'Duplicate item found with this id. Remove duplicate items from your input and try again.',
      }
    case 'empty-id':
      return item.kind === 'call' ? { message: 'this call has no id, so nothing can answer it' } : {}
    case 'duplicate-call-id':
      return {
        message: `an earlier call has the id ${id} too`,
        refusal: `Duplicate function_call_output for call_id '${id}'.`,
      }
    case 'unanswered-call':
      return {
        message: `call ${id || 'without an id'} has no result`,
        help: `answer it with ${item.family === 'search' ? 'no tools' : `"${abortedText}"`}, as Codex does (synthetic)`,
        refusal: `No tool output found for ${noun} ${id}.`,
      }
    case 'early-result':
    case 'interleaved-message':
    case 'misplaced-result':
      return {
        rule: 'misplaced-result',
        message: `the result of call ${id} does not follow it`,
        help: 'move it after its call (lossless)',
      }
    case 'mismatched-result':
      return {
        message: `the result of call ${id} is written as the result of another kind of call`,
        help: 'rewrite it as the kind that its call requires (lossless)',
        refusal: `No tool call found for ${noun} output with call_id ${id}.`,
      }
    case 'duplicate-result':
      return {
        message: `call ${id} has another result already`,
        refusal: `Duplicate function_call_output for call_id '${id}'.`,
      }
    case 'orphan-result':
      return {
        message: id === '' ? 'this result names no call' : `no call has the id ${id} of this result`,
        refusal: `No tool call found for ${noun} output with call_id ${id}.`,
      }
    case 'reasoning-without-follower':
      return {
        message: 'the output of this reasoning is missing',
        help: 'keep it without its id, which refers to that output (lossless)',
        refusal: "Item of type 'reasoning' was provided without its required following item.",
      }
    default:
      return {}
  }
}

const nouns = { function: 'function call', custom: 'custom tool call', search: 'tool search call' } as const
