import type { Codec } from '../../../codecs/codec.ts'
import { codecs } from '../../../codecs/index.ts'
import type { Message } from '../../../core/conversation.ts'
import { isPlaceholder } from '../../../core/placeholder.ts'
import { RuleContext } from '../../../core/rules/rule.ts'
import { planFor } from '../../../heal/options.ts'
import type { OpenChoices } from '../document-service.ts'
import type { ThreadDocument } from '../protocol.ts'
import { decodeHead, decodeHistoryDocument } from './decode-history.ts'
import type { DecodedDocument, Unsupported } from './decoded-document.ts'

/**
 * Decodes a thread of a journal. It was rendered for a model, with placeholders for open calls; here these calls are shown as open, which
 * is not an error.
 */
export function decodeThread(document: ThreadDocument, { for: chosen }: OpenChoices): DecodedDocument | Unsupported {
  const { format, total } = document
  const { shown, open } = withoutPlaceholders(document)
  const options = { format, for: chosen ?? document.for, pending: 'keep', pendingCalls: open } as const
  return (total === undefined ? decodeHistoryDocument : decodeHead)(shown, options)
}

/** The history without the placeholders of open calls, and the ids of these calls. */
function withoutPlaceholders({ format, for: dialect, history, thread }: ThreadDocument): {
  readonly shown: readonly unknown[]
  readonly open: readonly string[]
} {
  const own = thread.open.filter(({ path }) => path === undefined)
  if (own.length === 0) return { shown: history, open: [] }
  const codec: Codec = codecs[format]
  const plan = planFor(history, { format, for: dialect })
  const decoded = codec.decode(history)
  // Ids may have been rewritten for the provider; names were not.
  const ids = new Set(own.map(({ providerId }) => providerId))
  const names = new Set(own.map(({ name }) => name))
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
