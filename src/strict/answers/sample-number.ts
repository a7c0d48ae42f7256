import type { JsonObject } from '../json.ts'

/** A number that matches a schema: 1 if possible, else one near a bound. */
export function sampleNumber(schema: JsonObject, isInteger: boolean): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  // In an older draft of JSON Schema these are booleans that make the other bound exclusive.
  const above = exclusiveMinimum === true ? minimum : exclusiveMinimum
  const below = exclusiveMaximum === true ? maximum : exclusiveMaximum
  const [lows, highs, [step = 0]] = [numbers(minimum, above), numbers(maximum, below), numbers(multipleOf)]
  const fits = (value: number): boolean =>
    lows.every(low => value >= low) &&
    highs.every(high => value <= high) &&
    value !== above &&
    value !== below &&
    (!isInteger || Number.isInteger(value)) &&
    (step === 0 || Number.isInteger(value / step))
  const middle = lows.flatMap(low => highs.map(high => (low + high) / 2))
  const near = [1, 0, step, ...lows, ...highs, ...middle].flatMap(bound => [bound, bound + 1, bound - 1])
  const multiples = near.map(bound => Math.ceil(bound / step) * step)
  return [...near, ...near.map(Math.ceil), ...multiples].find(fits) ?? 1
}

const numbers = (...values: unknown[]): number[] => values.filter(value => typeof value === 'number')
