import { type CodecId, codecs } from '../../codecs/index.ts'
import { AntiphonError } from '../../core/errors.ts'
import { treeOf } from '../branches/decide-branch.ts'
import type { Log } from '../log.ts'
import { Renderer, type RenderTarget } from '../render/render.ts'
import { coveredItems, cutBefore, invalidSummary } from './decide-compact.ts'

export interface CompactOptions {
  /**
   * A text, a model's message, or a function that returns one of them. The function gets the messages that the summary replaces. A
   * summary that is empty, has calls, or is longer than these messages is refused.
   */
  readonly summary: string | object | ((messages: never[]) => unknown)
  /** The last entry that it covers, by its sequence number. */
  readonly upTo?: number
  /** Without `upTo`: how many of the last turns stay as they are; 0 by default. A turn that runs counts. */
  readonly keepTurns?: number
}

/** A summary that was written: the sequence numbers of its entry, and of the last one that it covers. */
export interface Compaction {
  readonly seq: number
  readonly upTo: number
}

/** Returns undefined if there is nothing to summarize. */
export async function compactThread(
  log: Log,
  target: RenderTarget,
  { summary, upTo, keepTurns = 0 }: CompactOptions,
): Promise<Compaction | undefined> {
  if (!Number.isInteger(keepTurns) || keepTurns < 0)
    throw new AntiphonError('wrong-number', `keepTurns must be 0 or a positive integer, got ${keepTurns}`, {
      hint: 'use 0 to summarize all turns',
    })
  const state = await log.catchUp()
  const cut = upTo ?? cutBefore(state, keepTurns)
  if (cut === undefined) return undefined
  const { lessons } = state
  // The branch of the items: another one may be chosen already, and becomes the current one at the end of the turn.
  const { branch } = treeOf(state).current
  const items = [...coveredItems(state, cut)]
  const written =
    typeof summary === 'function'
      ? await summary(new Renderer(target, { items, lessons, isCompacted: undefined }).render() as never[])
      : summary
  const text = summaryText(written, target.format)
  // The cut is checked again, because another process may have summarized or switched the branch in the meantime.
  const { entries } = await log.command(() => ({ do: 'compact', upTo: cut, summary: text, branch }))
  const [entry] = entries
  return entry && { seq: entry.seq, upTo: cut }
}

/** The text of a summary. Messages are read in the format of the thread. */
function summaryText(summary: unknown, format: CodecId): string {
  if (typeof summary === 'string') return summary.trim()
  const messages = Array.isArray(summary) ? summary : [summary]
  if (!messages.every(message => typeof message === 'object' && message !== null))
    throw invalidSummary('the summary must be a text or a message')
  const parts = codecs[format].decode(messages).messages.flatMap(({ parts }) => parts)
  if (parts.some(({ kind }) => kind === 'call' || kind === 'result')) throw invalidSummary('the summary has calls')
  return parts
    .flatMap(part => (part.kind === 'text' ? [part.text] : []))
    .join('\n')
    .trim()
}
