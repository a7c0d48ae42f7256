import { AntiphonError } from '../../core/errors.ts'
import { assertCurrent, treeOf } from '../branches/decide-branch.ts'
import { isSettledForGood, type RecordedStep, seqOf, type ThreadItem } from '../branches/thread-item.ts'
import type { EntryData } from '../entry.ts'
import { lastStep, type ThreadState } from '../fold.ts'
import { countUpTo, isHistoryItem, summaryOf } from './shown-items.ts'

export interface CompactCommand {
  readonly do: 'compact'
  /** The last sequence number that is covered. */
  readonly upTo: number
  readonly summary: string
  /** The branch whose history it summarizes. */
  readonly branch: number
}

/** Undoes the current summary. */
export interface ExpandCommand {
  readonly do: 'expand'
}

interface CompactWrite {
  readonly entries: readonly EntryData[]
  readonly why?: 'nothing'
}

/** Writes a summary as one entry. The cut is checked here once more, on the state that the entry is written to, so that no result is lost. */
export function compact(state: ThreadState, { upTo, summary, branch }: CompactCommand): CompactWrite {
  assertCurrent(treeOf(state).current, branch)
  const covered = coveredItems(state, upTo)
  const length = covered.reduce((sum, item) => sum + textLength(item), 0)
  if (summary.trim() === '') throw invalidSummary('the summary is empty')
  if (summary.length > length)
    throw invalidSummary(`the summary is longer than what it covers: ${summary.length} characters instead of ${length}`)
  return { entries: [{ kind: 'history-compact', upTo, summary }] }
}

export function expand(state: ThreadState): CompactWrite {
  const summary = summaryOf(state)
  return summary ? { entries: [{ kind: 'history-expand', summary: summary.seq }] } : { entries: [], why: 'nothing' }
}

/** The items that a summary up to a position replaces. Throws if no summary can end there. */
export function coveredItems(state: ThreadState, upTo: number): readonly ThreadItem[] {
  const { items, head } = state
  if (!Number.isInteger(upTo) || upTo < 1 || upTo > head)
    throw new AntiphonError('wrong-number', `upTo must be the sequence number of an entry, got ${upTo}`, {
      hint: `use an integer from 1 to ${head}`,
    })
  const count = countUpTo(items, upTo)
  const open = openAt(items, count, upTo)
  if (open > 0)
    throw new AntiphonError(
      'open-calls',
      `a summary cannot end at entry ${upTo}, where ${open === 1 ? '1 call has' : `${open} calls have`} no result yet`,
      {
        hint: 'end it before them, or after their results',
      },
    )
  const possible = items.slice(0, coverableCount(state))
  if (count > possible.length)
    throw new AntiphonError(
      'unsafe-cut',
      `a summary cannot end at entry ${upTo}: the model has not answered this entry yet, or late results may follow`,
      { hint: possible.length === 0 ? 'summarize later' : `end it at entry ${endOf(possible.at(-1))} or before` },
    )
  const summary = summaryOf(state)
  const fresh = items.slice(summary ? countUpTo(items, summary.upTo) : 0, count).filter(isHistoryItem)
  if (fresh.length === 0)
    throw new AntiphonError('unsafe-cut', `everything up to entry ${upTo} is summarized already`, {
      hint: 'end the summary at a later entry',
    })
  return summary ? [summary, ...fresh] : fresh
}

/** The last entry that a summary can cover if it leaves the last turns as they are; undefined if there is nothing to summarize. */
export function cutBefore(state: ThreadState, keepTurns: number): number | undefined {
  const { items, turn } = state
  const kept = new Set<number>(turn && keepTurns > 0 ? [turn.turn] : [])
  const count = items.findLastIndex(item => {
    if (item.kind !== 'step') return keepTurns === 0
    const { turn } = item.step.response
    if (!kept.has(turn) && kept.size >= keepTurns) return true
    kept.add(turn)
    return false
  })
  const covered = countUpTo(items, summaryOf(state)?.upTo ?? 0)
  const last = items.slice(covered, Math.min(count + 1, coverableCount(state))).findLast(isHistoryItem)
  return last && endOf(last)
}

/**
 * The maximum number of items that a summary can cover. It cannot cover what the model answers next while a turn runs, nor a step whose
 * placeholder may be replaced by a late result.
 */
function coverableCount(state: ThreadState): number {
  const { items, turn } = state
  const last = lastStep(state)
  const unsettled = last && !isSettled(last) ? countUpTo(items, last.seq - 1) : items.length
  const asked = turn ? items.findLastIndex(({ kind }) => kind === 'input' || kind === 'step') : items.length
  return Math.max(0, Math.min(unsettled, asked))
}

const isSettled = ({ calls, response }: RecordedStep): boolean =>
  calls.every((call, index) => response.calls[index]?.answered || isSettledForGood(call))

/** The sequence number of the last entry of an item. A response ends with the last result of its calls. */
function endOf(item: ThreadItem | undefined): number {
  if (item?.kind !== 'step') return item ? seqOf(item) : 0
  return item.step.calls.reduce((end, { settledSeq = 0 }) => Math.max(end, settledSeq), item.step.seq)
}

/** The number of calls without a result at a position. Only calls of the last step before it can be open. */
function openAt(items: readonly ThreadItem[], count: number, upTo: number): number {
  const step = items.slice(0, count).findLast(item => item.kind === 'step')
  if (step?.kind !== 'step') return 0
  const { calls, response } = step.step
  return calls.filter(
    ({ settledSeq }, index) => !response.calls[index]?.answered && !((settledSeq ?? Infinity) <= upTo),
  ).length
}

export const invalidSummary = (message: string): AntiphonError =>
  new AntiphonError('invalid-summary', message, {
    hint: 'a summary is text without calls, and shorter than what it covers; nothing was changed',
  })

/** The length of the text of an item: all its strings except roles, types and ids. */
function textLength(item: ThreadItem): number {
  const stack: unknown[] = [contentOf(item)]
  let length = 0
  while (stack.length > 0) {
    const value = stack.pop()
    if (typeof value === 'string') length += value.length
    else if (Array.isArray(value)) for (const element of value) stack.push(element)
    else if (typeof value === 'object' && value !== null)
      for (const [key, field] of Object.entries(value)) if (!structural.has(key)) stack.push(field)
  }
  return length
}

function contentOf(item: ThreadItem): unknown {
  switch (item.kind) {
    case 'input':
      return item.inputs.map(({ content }) => content)
    case 'step':
      return [item.step.response.messages, item.step.calls.map(({ outcome }) => outcome?.content)]
    case 'notes':
      return item.notes.map(({ outcome }) => outcome.content)
    case 'summary':
      return item.text
    case 'expand':
      return undefined
  }
}

const structural = new Set(['role', 'type', 'id', 'tool_call_id', 'tool_use_id', 'toolCallId', 'call_id'])
