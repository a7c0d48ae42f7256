import { isRecord } from '../../../core/conversation.ts'
import { valueAt } from '../../../core/invariant.ts'
import type { MutableFields } from '../../../core/request/body-draft.ts'
import type { Rejection } from '../../../heal/rejections/rejection.ts'
import { fingerprint } from '../../files/fingerprint.ts'
import { type AssertUnused, swapFile } from '../../files/swap-file.ts'
import { RecordReader } from '../../linked/record-reader.ts'
import { spliced } from '../../linked/spliced.ts'
import { repairParts, type SourcedMessage } from '../../rejected/repair-stored.ts'
import { reportText } from '../../report-text.ts'
import type { RejectionExamination } from '../../system.ts'
import { chainEdits, whyNotRepaired } from './examine-session.ts'
import { liveNodes } from './live-nodes.ts'
import type { ChainItem } from './plan.ts'
import { recordContents } from './record-contents.ts'
import { blockTexts } from './rewrite.ts'
import { readTree } from './tree.ts'

/** A block of a record: its node, and its index there; -1 if the content is a string. */
interface Block {
  readonly node: number
  readonly index: number
}

/** What would be repaired in the messages that the program sends, after a rejection. Only those are held and changed. */
export function examineSessionRejection(path: string, rejection: Rejection): RejectionExamination {
  const before = fingerprint(path)
  const tree = readTree(path)
  const reader = new RecordReader(path, tree)
  try {
    const live = liveNodes(tree)
    const { order } = live
    const { changed, repairs, remaining } = repairParts(
      messagesOf(order, reader),
      rejection,
      ({ node }) => `line ${valueAt(tree.lines, node) + 1}`,
    )
    if (changed.size === 0) return { repairs: [], remaining }
    const replaced = new Map<number, Map<number, readonly unknown[]>>()
    for (const [{ node, index }, parts] of changed) {
      const known = replaced.get(node) ?? new Map()
      replaced.set(node, known.set(index, parts))
    }
    const items = order.flatMap((node): ChainItem[] => {
      const parts = replaced.get(node)
      if (!parts) return [{ kind: 'kept', node }]
      const content = contentOf(reader.text(node), parts)
      return content === undefined ? [] : [{ kind: 'kept', node, content }]
    })
    const whyNot = items.length < order.length ? whyNotRepaired(items, order, live, tree) : undefined
    if (whyNot !== undefined) return { repairs: [], remaining: repairs, notes: [whyNot] }
    const splices = chainEdits(items, order, live, tree, new Set(), reader)
    return {
      repairs,
      remaining,
      dropped: [...replaced.keys()].map(node => ({
        at: `line ${valueAt(tree.lines, node) + 1}`,
        rule: rejection.kind,
        content: reportText(reader.text(node)),
      })),
      storeRepair: {
        files: [path],
        apply: (assertUnused: AssertUnused | undefined) => swapFile(path, before, spliced(path, splices), assertUnused),
      },
    }
  } finally {
    reader.close()
  }
}

/**
 * The messages of the request that the program builds from its records: adjacent ones with the same role are merged.
 */
function messagesOf(order: readonly number[], reader: RecordReader): SourcedMessage<Block>[] {
  const messages: { role: string; parts: { part: MutableFields; source: Block }[] }[] = []
  for (const node of order) {
    const record = reader.value(node)
    if (recordContents(record).length === 0 || !isRecord(record.message)) continue
    const { content } = record.message
    const role = record.type === 'assistant' ? 'assistant' : 'user'
    const parts =
      typeof content === 'string'
        ? [{ part: { type: 'text', text: content }, source: { node, index: -1 } }]
        : (content as unknown[]).flatMap((block, index) =>
            isRecord(block) ? [{ part: block as MutableFields, source: { node, index } }] : [],
          )
    const last = messages.at(-1)
    if (last?.role === role) for (const part of parts) last.parts.push(part)
    else messages.push({ role, parts })
  }
  return messages
}

/** The content of a record with some blocks replaced; undefined if none is left. */
function contentOf(text: string, replaced: ReadonlyMap<number, readonly unknown[]>): string | undefined {
  const whole = replaced.get(-1)
  const texts = whole
    ? whole.map(part => JSON.stringify(part))
    : blockTexts(text).flatMap((block, index) => replaced.get(index)?.map(part => JSON.stringify(part)) ?? [block])
  return texts.length === 0 ? undefined : `[${texts.join(',')}]`
}
