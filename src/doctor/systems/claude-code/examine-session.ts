import { valueAt } from '../../../core/invariant.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import { stateOf } from '../../examine-entries.ts'
import { fileError } from '../../files/file-error.ts'
import { type Fingerprint, fingerprint } from '../../files/fingerprint.ts'
import { type AssertUnused, swapFile } from '../../files/swap-file.ts'
import { linkRepair, lostRepair, markRepair, openingRepair, seamRepair, tornRepair } from '../../linked/link-repairs.ts'
import { droppedFrom, sinceOf } from '../../linked/linked-report.ts'
import { RecordReader } from '../../linked/record-reader.ts'
import { type Splice, spliced } from '../../linked/spliced.ts'
import { withWholeContents } from '../../record-format.ts'
import { notJsonNotes } from '../../report-text.ts'
import type { Drawing, Examination } from '../../system.ts'
import { editsFor } from './edits.ts'
import { drawLive, judgeLive, type LiveJudgement } from './judge-live.ts'
import { type Live, liveNodes } from './live-nodes.ts'
import { lostResults } from './lost-results.ts'
import { type ChainItem, chainItems, closingFor, losesRewind, planLinks } from './plan.ts'
import { blocksOfRecord, type RecordTree, readTree, root } from './tree.ts'

/** Examines a session of any size: its links are held, its records are read again where needed. */
export function examineClaudeSession(path: string): Examination {
  const before = fingerprint(path)
  const tree = readTree(path)
  const reader = new RecordReader(path, tree)
  try {
    return { ...examineTree(path, before, tree, reader), draw: () => withWholeContents(() => drawSession(path)) }
  } finally {
    reader.close()
  }
}

function drawSession(path: string): Drawing {
  const tree = readTree(path)
  const reader = new RecordReader(path, tree)
  try {
    const { order } = judgeWithLost(liveNodes(tree), tree, reader)
    return drawLive(order, tree, reader, path)
  } finally {
    reader.close()
  }
}

function examineTree(path: string, before: Fingerprint, tree: RecordTree, reader: RecordReader): Examination {
  const live = liveNodes(tree)
  const { judgement, order, moved } = judgeWithLost(live, tree, reader)
  if (judgement.foreign) {
    const { record, format } = judgement.foreign
    const line = valueAt(tree.lines, valueAt(order, record)) + 1
    throw fileError(
      path,
      `the message in line ${line} is in the format ${format}, not in Claude Code's, so it is not read`,
    )
  }
  const healed: readonly ChainItem[] = judgement.lines
    ? chainItems(judgement.lines, order)
    : order.map(node => ({ kind: 'kept', node }))
  const speaker = firstSpeaker(healed, tree, reader)
  const repairs: Repair[] = [
    ...(tree.mark ? [markRepair()] : []),
    ...tree.torn.map(torn => tornRepair(torn)),
    ...tree.seams.map(({ line }) => seamRepair(line)),
    ...[...live.repaired].map(node => linkRepair(valueAt(tree.lines, node))),
    ...[...moved].map(node => lostRepair(valueAt(tree.lines, node))),
    ...(speaker === undefined ? [] : [openingRepair(valueAt(tree.lines, speaker))]),
    ...judgement.repairs,
  ]
  const { remaining, counts } = judgement
  const notes = notJsonNotes(tree.unreadable.map(line => line + 1))
  const whyNot = whyNotRepaired(healed, order, live, tree)
  if (whyNot !== undefined && repairs.length > 0)
    return {
      state: 'broken',
      counts,
      repairs: [],
      remaining: [...repairs, ...remaining],
      dropped: [],
      notes: [...notes, whyNot],
    }
  const isChanged = judgement.lines || speaker !== undefined || live.repaired.size > 0 || moved.size > 0
  const edits = isChanged ? chainEdits(withOpening(healed, speaker), order, live, tree, moved, reader) : []
  const splices = [...edits, ...fileSplices(tree)]
  const storeRepair = {
    files: [path],
    apply: (assertUnused: AssertUnused | undefined) => swapFile(path, before, spliced(path, splices), assertUnused),
  }
  return {
    state: stateOf({ repairs, remaining, waiting: 0 }),
    counts,
    ...sinceOf(judgement, order, tree, [
      ...tree.torn.map(({ line }) => line),
      ...tree.seams.map(({ line }) => line),
      ...[...live.repaired, ...moved, ...(speaker === undefined ? [] : [speaker])].map(node =>
        valueAt(tree.lines, node),
      ),
      ...(tree.mark ? [0] : []),
    ]),
    repairs,
    remaining,
    dropped: droppedFrom(judgement, order, tree, reader),
    notes,
    ...(splices.length > 0 && { storeRepair }),
  }
}

/**
 * Judges the live records; if that adds placeholders, looks for real results that no link leads to, and judges again.
 */
function judgeWithLost(
  { order }: Live,
  tree: RecordTree,
  reader: RecordReader,
): { judgement: LiveJudgement; order: readonly number[]; moved: ReadonlySet<number> } {
  const judgement = judgeLive(order, tree, reader)
  const lost = lostResults(judgement, order, tree, reader)
  if (lost.size === 0) return { judgement, order, moved: new Set() }
  const whole = order.flatMap(node => [node, ...(lost.get(node) ?? [])])
  return { judgement: judgeLive(whole, tree, reader), order: whole, moved: new Set([...lost.values()].flat()) }
}

/**
 * The first record of the assistant's response that comes first because its user message was lost. Older versions did
 * not store the task of an agent: its response comes first, without a parent.
 */
function firstSpeaker(items: readonly ChainItem[], tree: RecordTree, reader: RecordReader): number | undefined {
  const { kinds, responses, isAgent } = tree
  if (isAgent && items[0] && tree.parents[items[0].node] === root) return undefined
  let first: number | undefined
  for (const { node } of items) {
    if (kinds[node] === 'user' || kinds[node] === 'result') return undefined
    const record = kinds[node] === 'boundary' ? {} : reader.value(node)
    if (record.type === 'attachment' || record.subtype === 'local_command') return undefined
    if (kinds[node] !== 'assistant' || record.isApiErrorMessage === true) continue
    if (first === undefined || valueAt(responses, first) < 0 || responses[first] !== responses[node]) first = node
    if (blocksOfRecord(record).some(({ type }) => type === 'text' || type === 'tool_use')) return first
  }
  return undefined
}

export function chainEdits(
  items: readonly ChainItem[],
  order: readonly number[],
  live: Live,
  tree: RecordTree,
  moved: ReadonlySet<number>,
  reader: RecordReader,
): Splice[] {
  const plan = planLinks(items, order, live, tree, moved)
  const closing = closingFor(plan, order, tree)
  const whole = closing.length === 0 ? plan : planLinks([...items, ...closing], order, live, tree, moved)
  return editsFor(whole, live, order, tree, reader)
}

const withOpening = (items: readonly ChainItem[], speaker: number | undefined): ChainItem[] =>
  items.flatMap((item): ChainItem[] =>
    item.kind === 'kept' && item.node === speaker ? [{ kind: 'opening', node: item.node }, item] : [item],
  )

/** Removes torn text, and separates records that share a line. */
const fileSplices = ({ torn, mark, seams, lineBreak }: RecordTree): Splice[] => [
  ...(mark ? [{ at: mark.start, remove: mark.end - mark.start, insert: '' }] : []),
  ...torn.map(({ start, end }) => ({ at: start, remove: end - start, insert: '' })),
  ...seams.map(({ start }) => ({ at: start, remove: 0, insert: lineBreak })),
]

/** Why a repaired chain cannot be written so that the program finds it; undefined if it can be. */
export function whyNotRepaired(
  items: readonly ChainItem[],
  order: readonly number[],
  live: Live,
  tree: RecordTree,
): string | undefined {
  if (live.preserved?.isListed === true && order.some(node => live.preserved?.nodes.has(node))) return listedNote
  return losesRewind(items, order, live, tree) ? rewoundNote : undefined
}

const listedNote =
  'its last compaction names every message that it kept, so their order cannot be repaired here: it was left as it is'
const rewoundNote =
  'its user went back to a message that a repair would move or remove: it was left as it is until the session goes on'
