/** How a server fails on request. With `:stream` it fails inside a stream that began well. */
export type FailureMode =
  | 'rate-limit'
  | 'rate-limit:stream'
  | 'overload'
  | 'overload:stream'
  | 'slow'
  | `slow:${number}`
  | 'cut'
  | 'malformed'

/** A mode after parsing. */
export interface ParsedMode {
  kind: 'rate-limit' | 'overload' | 'slow' | 'cut' | 'malformed'
  inStream: boolean
  /** How long a slow server waits before each chunk. */
  ms: number
}

/** Parses a mode; undefined if it is unknown. */
export function parseMode(mode: string): ParsedMode | undefined {
  const [, kind, detail] = mode.match(/^([a-z-]+)(?::(\w+))?$/) ?? []
  if (kind === 'cut' || kind === 'malformed') return detail === undefined ? { kind, ...noDetail } : undefined
  if (kind === 'slow')
    return detail === undefined || /^\d+$/.test(detail) ? { kind, ...noDetail, ms: Number(detail ?? 50) } : undefined
  if (kind !== 'rate-limit' && kind !== 'overload') return undefined
  return detail === undefined || detail === 'stream' ? { kind, ...noDetail, inStream: detail !== undefined } : undefined
}

/** Like `parseMode`, but throws, since a wrong mode is a mistake in the test. */
export function demandMode(mode: string): ParsedMode {
  const parsed = parseMode(mode)
  if (!parsed) throw new TypeError(`unknown mode '${mode}' (${modeNames})`)
  return parsed
}

export const modeNames = 'one of: rate-limit, overload (both also with :stream), slow, slow:<ms>, cut, malformed'

const noDetail = { inStream: false, ms: 0 }
