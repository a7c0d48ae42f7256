import type { CodecId } from '../../../src/codecs/index.ts'
import type { Example, Examples } from '../../../src/core/rules/example.ts'
import { rules } from '../../../src/core/rules/index.ts'
import type { DialectId, HealOptions } from '../../../src/index.ts'
import { load, ruleFile } from '../../repository.ts'
import { translate } from '../history.ts'
import type { Fields, Native } from '../plan.ts'
import { Random } from '../random.ts'
import { readersOf } from '../try-laws.ts'
import { type Kind, packed, piece } from './pieces.ts'

/** Histories that are alike in everything but their length. */
export interface Family {
  readonly name: string
  readonly options: HealOptions
  make(length: number): unknown[]
}

export const numbers = (length: number): number[] => Array.from({ length }, (_, at) => at)

const rows = (native: Native, kind: Kind, length: number): Fields[] =>
  numbers(length).flatMap(at => piece(native, kind, at))

type Arrangement = (native: Native, first: Kind, then: Kind, length: number) => Fields[]

const inTurn: Arrangement = (native, first, then, length) =>
  numbers(length).flatMap(at => [...piece(native, first, at), ...piece(native, then, at)])

const isResult = (kind: Kind): boolean => /result|placeholder/.test(kind)

const arrangements: Record<string, Arrangement> = {
  'in turn': inTurn,
  'in turn, packed': (...given) => packed(inTurn(...given)),
  'rows, then rows': (native, first, then, length) => [...rows(native, first, length), ...rows(native, then, length)],
  'packed, then rows': (native, first, then, length) => [
    ...packed(rows(native, first, length)),
    ...rows(native, then, length),
  ],
  'rows, then packed': (native, first, then, length) => [
    ...rows(native, first, length),
    ...packed(rows(native, then, length)),
  ],
  'packed, then packed': (native, first, then, length) => [
    ...packed(rows(native, first, length)),
    ...packed(rows(native, then, length)),
  ],
  'a large one, then rows': (native, first, then, length) => [
    ...(isResult(first) ? packed([...piece(native, 'call again', 0), ...piece(native, 'call', 0)]) : []),
    ...piece(native, first, 0, length),
    ...rows(native, then, length),
  ],
}

/** Always throws the same, so that a translation is the same at every length. */
class Steady extends Random {
  readonly #value: number

  constructor(value: number) {
    super(1)
    this.#value = value
  }

  override next(): number {
    return this.#value
  }
}

const styles = [0.3, 0.9]

/** What a caller may ask for beside the format and the dialect. */
const wishes: readonly HealOptions[] = [
  {},
  { orphans: 'quote' },
  { pending: 'keep' },
  { orphans: 'drop', cautious: true },
]

const lossless: HealOptions = { allow: ['lossless'] }

/**
 * Every ordered pair of kinds in every arrangement. The dialects, the caller's options and the styles of the translation take
 * turns. Where two arrangements come to the same, only the first is tried.
 */
export function* pairFamilies(format: CodecId, kinds: readonly Kind[]): Generator<Family> {
  const seen = new Set<string>()
  const readers = readersOf(format)
  let count = 0
  for (const first of kinds)
    for (const then of kinds)
      for (const [how, arrange] of Object.entries(arrangements)) {
        const style = styles[count % styles.length]
        const options = { format, for: readers[count % readers.length] }
        const wish = wishes[count % wishes.length]
        count++
        const make = (length: number): unknown[] =>
          translate(
            format,
            native => [...piece(native, 'user', 0), ...arrange(native, first, then, length)],
            new Steady(style),
          )
        const shape = JSON.stringify(make(2))
        if (seen.has(shape)) continue
        seen.add(shape)
        // What may not be repaired stays where many stand in one message.
        for (const asked of how === 'rows, then packed' ? [wish, lossless] : [wish]) {
          const all = { ...options, ...asked }
          yield { name: `${first}, ${then}, ${how}: ${JSON.stringify(all)}`, options: all, make }
        }
      }
}

/** Every example of every rule, many times over: with the same ids each time, and with others. */
export async function* ruleFamilies(): AsyncGenerator<Family> {
  for (const { id } of rules) {
    const { examples } = (await load(ruleFile(id, '.examples'))) as unknown as { examples: Examples }
    for (const example of examples.invalid) {
      const { messages } = example
      if (!Array.isArray(messages)) continue
      const options = optionsOf(example)
      const name = `${id}: ${example.name}`
      yield {
        name: `${name}, again and again`,
        options,
        make: length => numbers(length).flatMap(() => structuredClone(messages)),
      }
      yield {
        name: `${name}, with ids of their own`,
        options,
        make: length => numbers(length).flatMap(at => renamed(messages, at)),
      }
    }
  }
}

/** Messages of two formats in turn, some of one and one of the other: what the history is taken for changes again and again. */
export function* mixedFamilies(formats: readonly CodecId[]): Generator<Family> {
  for (const format of formats)
    for (const other of formats)
      for (const share of format === other ? [] : [1, 3, 6])
        yield {
          name: `${share} of ${format} and one of ${other}`,
          options: {},
          make(length) {
            const some = pieceOf(format, 'answered call', length * share)
            const others = pieceOf(other, 'answered call', length)
            return others.flatMap((message, at) => [...some.slice(at * share, (at + 1) * share), message])
          },
        }
}

/** One message with a large value in a field that no format has, and many others after it. */
export function* largeFamilies(formats: readonly CodecId[], kinds: readonly Kind[]): Generator<Family> {
  for (const format of formats)
    for (const kind of kinds)
      for (const [name, large] of Object.entries(largeValues))
        yield {
          name: `${name} in a field of its own, then ${kind}, in ${format}`,
          options: {},
          make(length) {
            const [first, ...others] = translate(
              format,
              native => [...piece(native, 'text', 0), ...rows(native, kind, length)],
              new Steady(styles[0]),
            ) as Fields[]
            return [{ ...first, ...large(length) }, ...others]
          },
        }
}

const largeValues: Readonly<Record<string, (size: number) => Fields>> = {
  keys: size => Object.fromEntries(numbers(size).map(at => [`key_${at}`, at])),
  'a record': size => ({ extra: Object.fromEntries(numbers(size).map(at => [`key_${at}`, at])) }),
  'a list': size => ({ extra: numbers(size) }),
  'a JSON text': size => ({ extra: JSON.stringify(numbers(size).map(at => `lost ${at}`)) }),
  space: size => ({ extra: ' '.repeat(size * 8) }),
}

const pieceOf = (format: CodecId, kind: Kind, length: number): unknown[] =>
  translate(format, native => rows(native, kind, length), new Steady(styles[0])).slice(0, length)

const optionsOf = ({ format, dialect, options }: Example): HealOptions => ({
  ...options,
  format: format as CodecId,
  for: dialect as DialectId,
})

/** The same with other ids: whatever stands under a key that names an id, and the names of tools if they are meant. */
export function renamed(messages: readonly unknown[], at: number, withNames = false): unknown[] {
  const ids = new Set<unknown>()
  JSON.stringify(messages, (key, value) => {
    if ((/id$/i.test(key) || (withNames && key === 'name')) && typeof value === 'string' && value !== '') ids.add(value)
    return value
  })
  return JSON.parse(JSON.stringify(messages, (_, value) => (ids.has(value) ? `${value}${at}` : value)))
}
