import { isRecord } from '../core/conversation.ts'
import { isRawNumber } from '../core/json/exact-json.ts'
import { isTooDeep } from '../core/json/nesting.ts'
import type { Report } from '../core/report.ts'

/**
 * A value of `parseExactly` as it is to be repaired: the same, unless the repair would take a long number for an object or
 * expose its internal form. Then long numbers are texts of their digits.
 */
export function readableNumbers<Value>(value: Value, heal: (value: Value) => Report): Value {
  if (isTooDeep(value)) return value
  const digits = withNumbers(value, text => text)
  if (digits === value) return value
  const [exact, safe] = [heal(value), heal(withSafeNumbers(value))]
  const isExposed = JSON.stringify(exact).includes('"rawJSON"') && !JSON.stringify(value).includes('"rawJSON"')
  return isExposed || !hasSameRepairs(exact, safe) ? (digits as Value) : value
}

/** A value with a number that a double can hold in place of each long one. Rounded, two different ones could become equal. */
export function withSafeNumbers<Value>(value: Value): Value {
  const known = new Map<string, number>()
  return withNumbers(value, text => {
    const number = known.get(text) ?? Number.MAX_SAFE_INTEGER - known.size
    known.set(text, number)
    return number
  }) as Value
}

/** Whether two readings of a request were repaired by the same rules in the same places. */
export const hasSameRepairs = ({ repairs: some }: Report, { repairs: others }: Report): boolean =>
  some.length === others.length &&
  some.every(({ rule, at }, index) => rule === others[index]?.rule && at === others[index]?.at)

/** A value with its raw numbers replaced. What holds none is the same reference. */
function withNumbers(value: unknown, replace: (text: string) => unknown): unknown {
  if (isRawNumber(value)) return replace(JSON.stringify(value))
  if (Array.isArray(value)) {
    const list = value.map(one => withNumbers(one, replace))
    return list.some((one, index) => one !== value[index]) ? list : value
  }
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(([key, one]) => [key, withNumbers(one, replace)] as const)
  return entries.some(([key, one]) => one !== value[key]) ? Object.fromEntries(entries) : value
}
