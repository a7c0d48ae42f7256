import { type CodecId, codecs } from '../../codecs/index.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import { whyNotWritten } from '../backup/proof.ts'
import type { RejectionExamination } from '../system.ts'
import { repairHistory, requestFormats } from './repair-stored.ts'

/** What would be repaired in a list of messages after a rejection, and the new list; absent if it is not written. */
export function repairList(
  messages: readonly unknown[],
  format: CodecId,
  rejection: Rejection,
): RejectionExamination & { readonly healed?: readonly unknown[] } {
  if (!requestFormats.has(format))
    return {
      repairs: [],
      remaining: [],
      notes: [
        `a history in the format ${format} is not sent to providers as it is, so an error cannot be matched to it`,
      ],
    }
  const { root } = codecs[format].format
  const { messages: left, repairs, remaining } = repairHistory(messages, format, rejection)
  if (repairs.length === 0) return { repairs, remaining }
  const healed = left.map(({ message }) => message)
  const kept = new Set(healed)
  const dropped = messages.flatMap((message, index) =>
    kept.has(message)
      ? []
      : [{ at: `${root}[${index}]`, rule: rejection.kind, content: JSON.stringify(message) ?? '' }],
  )
  const whyNot = whyNotWritten(messages, healed, codecs[format])
  return whyNot === undefined
    ? { repairs, remaining, dropped, healed }
    : { repairs, remaining, dropped, notes: [whyNot] }
}
