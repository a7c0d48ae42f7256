import type { Tape } from './create-tape.ts'
import { openTape } from './file.ts'

let asked: { readonly tape: Tape | undefined } | undefined

/** The tape that the variable ANTIPHON_TAPE names; undefined if it names none. It is asked for once in a process. */
export function tapeFromEnvironment(): Tape | undefined {
  asked ??= { tape: named() }
  return asked.tape
}

function named(): Tape | undefined {
  const file = (globalThis as { process?: Partial<NodeJS.Process> }).process?.env?.ANTIPHON_TAPE
  return file ? openTape(file) : undefined
}
