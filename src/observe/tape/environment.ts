import type { Tape } from './create-tape.ts'
import { openTape } from './file.ts'

let cached: { readonly tape: Tape | undefined } | undefined

/** The tape at the path in ANTIPHON_TAPE; undefined if the variable is not set. It is read once per process. */
export function tapeFromEnvironment(): Tape | undefined {
  cached ??= { tape: openNamedTape() }
  return cached.tape
}

function openNamedTape(): Tape | undefined {
  const file = (globalThis as { process?: Partial<NodeJS.Process> }).process?.env?.ANTIPHON_TAPE
  return file ? openTape(file) : undefined
}
