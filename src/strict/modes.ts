/** How a server misbehaves on request. `:stream` means that it comes inside a stream which has begun well. */
export type Mode =
  | 'rate-limit'
  | 'rate-limit:stream'
  | 'overload'
  | 'overload:stream'
  | 'slow'
  | `slow:${number}`
  | 'cut'
  | 'malformed'

export interface Fault {
  kind: 'rate-limit' | 'overload' | 'slow' | 'cut' | 'malformed'
  inStream: boolean
  /** How long a slow server waits before each chunk. */
  ms: number
}

/** The mode in parts, or undefined if there is none of that name. */
export function parseMode(mode: string): Fault | undefined {
  const [, kind, detail] = mode.match(/^([a-z-]+)(?::(\w+))?$/) ?? []
  if (kind === 'cut' || kind === 'malformed') return detail === undefined ? { kind, ...calm } : undefined
  if (kind === 'slow')
    return detail === undefined || /^\d+$/.test(detail) ? { kind, ...calm, ms: Number(detail ?? 50) } : undefined
  if (kind !== 'rate-limit' && kind !== 'overload') return undefined
  return detail === undefined || detail === 'stream' ? { kind, ...calm, inStream: detail !== undefined } : undefined
}

/** Like `parseMode`, for the caller's own modes: a wrong one is a mistake in the test. */
export function demandMode(mode: string): Fault {
  const fault = parseMode(mode)
  if (!fault) throw new TypeError(`no mode '${mode}': ${modeNames}`)
  return fault
}

export const modeNames = 'it is rate-limit, overload (both also with :stream), slow, slow:<ms>, cut or malformed'

const calm = { inStream: false, ms: 0 }
