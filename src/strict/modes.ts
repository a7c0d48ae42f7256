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

export interface ServerFault {
  kind: 'rate-limit' | 'overload' | 'slow' | 'cut' | 'malformed'
  inStream: boolean
  /** How long a slow server waits before each chunk. */
  ms: number
}

/** Parses a mode; undefined if it is unknown. */
export function parseMode(mode: string): ServerFault | undefined {
  const [, kind, detail] = mode.match(/^([a-z-]+)(?::(\w+))?$/) ?? []
  if (kind === 'cut' || kind === 'malformed') return detail === undefined ? { kind, ...noFault } : undefined
  if (kind === 'slow')
    return detail === undefined || /^\d+$/.test(detail) ? { kind, ...noFault, ms: Number(detail ?? 50) } : undefined
  if (kind !== 'rate-limit' && kind !== 'overload') return undefined
  return detail === undefined || detail === 'stream' ? { kind, ...noFault, inStream: detail !== undefined } : undefined
}

/** Like `parseMode`, but throws, since a wrong mode is a mistake in the test. */
export function demandMode(mode: string): ServerFault {
  const fault = parseMode(mode)
  if (!fault) throw new TypeError(`unknown mode '${mode}' (${modeNames})`)
  return fault
}

export const modeNames = 'one of: rate-limit, overload (both also with :stream), slow, slow:<ms>, cut, malformed'

const noFault = { inStream: false, ms: 0 }
