import { judge } from '../oracle/judge.ts'
import { type Reader, readers, refusal } from '../strict/readers.ts'
import { isUnknowable } from '../strict/unknowable.ts'

/**
 * What a strict provider, and an independent second judge, reject in a history as the next request; empty if both
 * accept. An empty history is not a request.
 */
export function strictly(history: readonly unknown[], format: Reader['format'], ...dialects: string[]): string[] {
  if (history.length === 0) return []
  return dialects.flatMap(dialect => {
    const reader = readers.find(one => one.dialect === dialect && one.format === format)
    if (!reader) throw new Error(`no strict provider is ${dialect} in ${format}`)
    const refused = refusal(history, reader)
    const objections = judge([...history] as never, format as never, dialect).map(({ message }) => message)
    return [...(refused && !isUnknowable(refused) ? [`${dialect}: ${refused.message}`] : []), ...objections]
  })
}
