import { failureReason, unreadable } from './file-error.ts'
import { findFault, placeOf } from './json-fault.ts'

export type Parse = (text: string) => unknown

/** Parses, and throws where and why it cannot. `line` is the line of the file that the text begins at. */
export function parseJson(text: string, name: string, parse: Parse, line = 1): unknown {
  try {
    return parse(text)
  } catch (error) {
    const fault = findFault(text)
    if (!fault) throw unreadable(name, failureReason(error))
    const place = placeOf(text, fault.at)
    throw unreadable(`${name}:${place.line + line - 1}:${place.column}`, fault.reason, fault.hint)
  }
}
