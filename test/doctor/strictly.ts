import { judge } from '../oracle/judge.ts'
import { type Reader, readers, refusal } from '../strict/readers.ts'
import { isUnknowable } from '../strict/unknowable.ts'

/**
 * What a strict provider, and a second judge that shares nothing with it, refuse in a history as the next request; nothing
 * if both accept. An empty one is no request.
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
