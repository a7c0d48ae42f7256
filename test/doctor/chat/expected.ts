import { type ChatMessage, pairingFaults } from './chat.ts'

/** What a sample must hold after its repair, without comparing bytes. */
export interface Expected {
  readonly calls: Readonly<Record<string, { readonly name: string; readonly arguments: unknown }>>
  readonly results: Readonly<
    Record<string, { readonly real?: true; readonly contains?: string; readonly synthetic?: true }>
  >
  readonly optional_calls?: readonly string[]
  readonly texts: readonly string[]
  readonly must_contain: readonly string[]
  readonly must_not_contain: readonly string[]
}

/** Where a repaired conversation differs from what is expected. `raw` is everything in the store as text. */
export function differences(chat: readonly ChatMessage[], raw: string, expected: Expected): string[] {
  const calls = new Map(chat.flatMap(one => one.calls).map(call => [call.id, call]))
  const results = new Map(chat.flatMap(one => one.results).map(({ id, text }) => [id, text]))
  const optional = new Set(expected.optional_calls)
  const isKnown = (id: string, known: object): boolean => id in known || optional.has(id)
  return [
    ...pairingFaults(chat),
    ...Object.entries(expected.calls).flatMap(([id, { name, arguments: input }]) => {
      const call = calls.get(id)
      return call?.name === name && JSON.stringify(sorted(call.input)) === JSON.stringify(sorted(input))
        ? []
        : [`call ${id} is gone or changed`]
    }),
    ...[...calls.keys()].filter(id => !isKnown(id, expected.calls)).map(id => `unexpected call ${id}`),
    ...Object.entries(expected.results).flatMap(([id, { real, contains = '', synthetic }]) => {
      const text = results.get(id)
      if (text === undefined) return [`no result of ${id}`]
      if (real && !text.includes(contains)) return [`the real result of ${id} is gone: ${text}`]
      return synthetic && !saysUnknown.test(text)
        ? [`the result of ${id} does not say that it is unknown: ${text}`]
        : []
    }),
    ...[...results.keys()].filter(id => !isKnown(id, expected.results)).map(id => `unexpected result of ${id}`),
    ...lostTexts(
      chat.flatMap(({ texts }) => texts),
      expected.texts,
    ),
    ...expected.must_contain.filter(text => !raw.includes(text)).map(text => `must contain ${text}`),
    ...expected.must_not_contain.filter(text => raw.includes(text)).map(text => `must not contain ${text}`),
  ]
}

function lostTexts(texts: readonly string[], wanted: readonly string[]): string[] {
  let at = 0
  for (const text of wanted) {
    while (at < texts.length && !texts[at].includes(text)) at++
    if (at === texts.length) return [`lost or out of order: ${text}`]
    at++
  }
  return []
}

const saysUnknown =
  /interrupt|abort|cancel|unknown|not (been )?(recorded|available|completed?|produced?)|did not (complete|produce|finish)|no result|lost|missing|never/i

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, one]) => [key, sorted(one)]),
        )
      : value
