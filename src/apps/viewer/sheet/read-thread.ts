import type { Codec } from '../../../codecs/codec.ts'
import { codecs } from '../../../codecs/index.ts'
import type { Message } from '../../../core/conversation.ts'
import { isPlaceholder } from '../../../core/placeholder.ts'
import { RuleContext } from '../../../core/rules/rule.ts'
import { planFor } from '../../../heal/options.ts'
import type { ReadingChoices } from '../desk.ts'
import type { ThreadDocument } from '../protocol.ts'
import { readHead, readHistory } from './read-history.ts'
import type { Foreign, Reading } from './reading.ts'

/**
 * Reads a thread of a journal. It was drawn for a model, which is told of every open call that it has no result yet; here
 * such calls stand open, and may.
 */
export function readThread(document: ThreadDocument, { for: chosen }: ReadingChoices): Reading | Foreign {
  const { format, total } = document
  const { shown, open } = withoutTruths(document)
  const options = { format, for: chosen ?? document.for, pending: 'keep', pendingCalls: open } as const
  return (total === undefined ? readHistory : readHead)(shown, options)
}

/** The history without what was made up for calls that are still open, and the ids of those calls. */
function withoutTruths({ format, for: reader, history, thread }: ThreadDocument): {
  readonly shown: readonly unknown[]
  readonly open: readonly string[]
} {
  if (thread.open.length === 0) return { shown: history, open: [] }
  const codec: Codec = codecs[format]
  const plan = planFor(history, { format, for: reader })
  const decoded = codec.decode(history)
  // Ids may have been rewritten for the reader; names were not.
  const ids = new Set(thread.open.map(({ providerId }) => providerId))
  const names = new Set(thread.open.map(({ name }) => name))
  const gone = new Set<Message>()
  const open: string[] = []
  for (const { part, answer } of new RuleContext(decoded, plan).tail) {
    if (!ids.has(part.id) && !names.has(part.name)) continue
    if (answer && !isPlaceholder(answer.part)) continue
    if (answer) gone.add(answer.message)
    open.push(part.id)
  }
  const left = decoded.messages.filter(message => !gone.has(message))
  return { shown: gone.size === 0 ? history : codec.encode(left, decoded, history), open }
}
