import type { FoundHistory } from './find-histories.ts'

/** The histories that a text holds, and what was around them. */
export interface Unwrapped {
  readonly found: readonly FoundHistory[]
  /** What the text is, such as `a curl command`. */
  readonly kind: string
  /** Whether the histories form a series, such as the requests of a HAR: then all are used. Otherwise the user must choose one. */
  readonly isSeries: boolean
  /** What looks like a value and could not be read. */
  readonly problem?: string
}

/** Why nothing was found, if the text shows a reason. */
export interface NotUnwrapped {
  readonly problem: string
  readonly hint?: string
}

/** What one of several parts of a text is, such as a line or a command. */
export interface Part {
  readonly at: string
  readonly inner: Unwrapped | NotUnwrapped | undefined
}

/** The histories in all parts of a text, and the first problem of one. */
export interface JoinedParts {
  readonly found: readonly FoundHistory[]
  readonly problem: string | undefined
}

export function joinParts(parts: Iterable<Part>, problem?: string): JoinedParts {
  const found: FoundHistory[] = []
  let first: string | undefined
  for (const { at, inner } of parts) {
    if (inner && 'found' in inner)
      for (const one of inner.found) found.push({ ...one, at: joinPlaces(at, one.at), path: [] })
    if (inner?.problem !== undefined)
      first ??= `${at}: ${inner.problem === '' ? 'a value cannot be read' : inner.problem}`
  }
  return { found, problem: first ?? problem }
}

export const withProblem = (result: Unwrapped | undefined, problem: string | undefined): Unwrapped | undefined =>
  result && problem !== undefined ? { ...result, problem } : result

/** The result for a text of this kind; undefined without a history. The histories are a series if their places differ only in numbers. */
export function unwrappedFrom(kind: string, found: readonly FoundHistory[]): Unwrapped | undefined {
  if (found.length === 0) return undefined
  const places = new Set(found.map(({ at }) => at.replace(/\[\d+\]|^\w+ \d+/g, '')))
  return { found, kind, isSeries: places.size === 1 }
}

export const joinPlaces = (outer: string, inner: string): string => (inner === '' ? outer : `${outer}, ${inner}`)

/** A note that names the fields of a request that the text does not contain. */
export function withoutFields(fields: readonly string[]): string {
  const more = fields.length > namedMax ? ` and ${fields.length - namedMax} more` : ''
  return fields.length === 0 ? '' : `without ${fields.slice(0, namedMax).join(', ')}${more}: `
}

const namedMax = 10
