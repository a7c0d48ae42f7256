import type { JsonObject } from '../json.ts'
import { samplePattern } from './sample-pattern.ts'

/** A text that matches a schema, or at least any text. */
export function sampleText({ format, pattern, minLength, maxLength }: JsonObject): string {
  const shortest = Math.min(Number(minLength) || 0, lengthMax)
  const longest = typeof maxLength === 'number' ? maxLength : lengthMax
  const regex = typeof pattern === 'string' ? regexOf(pattern) : undefined
  const hasLength = (text: string): boolean => text.length >= shortest && text.length <= longest
  const fits = (text: string): boolean =>
    hasLength(text) && (!regex || (isCheap(regex.source, text) && regex.test(text)))
  const formatted = formats.get(String(format))
  const patterned = regex ? [0, 1, shortest].map(more => samplePattern(regex.source, more)) : []
  const plain = sized(shortest, longest)
  const candidates = [...(formatted === undefined ? [] : [formatted]), plain, ...patterned]
  return candidates.find(fits) ?? patterned.find(hasLength) ?? formatted ?? plain
}

/**
 * Whether a schema's pattern surely terminates on a text: the client writes it, and some patterns take exponential time.
 * Without repeated groups, backtracking costs at most the length of the text to the power of the number of flexible
 * quantifiers.
 */
function isCheap(source: string, text: string): boolean {
  if (source.length > sourceMax) return false
  const plain = source.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/g, 'x').replaceAll('(?', '(')
  const flexible = plain.match(/[*+?]|\{\d*,\d*\}/g)?.length ?? 0
  if (/\)(?:[*+?]|\{\d*,)/.test(plain)) return false
  if (/\)\{/.test(plain) && (flexible > 0 || plain.includes('|'))) return false
  if ((plain.match(/\{(\d+)/g) ?? []).reduce((product, count) => product * Number(count.slice(1)), 1) > stepsMax)
    return false
  return Math.max(text.length, 2) ** flexible <= stepsMax
}

const sourceMax = 500
const stepsMax = 1_000_000

const lengthMax = 10_000

/** The word, repeated and cut to the required length. */
const sized = (shortest: number, longest: number): string =>
  'word'.repeat(Math.max(1, Math.ceil(shortest / 4))).slice(0, Math.max(shortest, Math.min(longest, 4)))

function regexOf(pattern: string): RegExp | undefined {
  for (const flags of ['u', ''])
    try {
      return new RegExp(pattern, flags)
    } catch {
      // A pattern of another regular-expression language, or for other flags.
    }
  return undefined
}

const formats = new Map(
  Object.entries({
    ...{ 'date-time': '2026-01-01T00:00:00Z', date: '2026-01-01', time: '12:00:00Z', duration: 'P1D' },
    ...{ email: 'someone@example.com', 'idn-email': 'someone@example.com', hostname: 'example.com' },
    ...{ uri: 'https://example.com/', url: 'https://example.com/', iri: 'https://example.com/' },
    ...{ ipv4: '127.0.0.1', ipv6: '::1', uuid: '00000000-0000-4000-8000-000000000001' },
    ...{ byte: 'd29yZA==', base64: 'd29yZA==', 'json-pointer': '/word' },
  }),
)
