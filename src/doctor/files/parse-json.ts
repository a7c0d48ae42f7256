import { failureReason, fileError } from './file-error.ts'
import { findSyntaxError, lineAndColumn } from './json-syntax-error.ts'

export type Parse = (text: string) => unknown

/** Parses JSON, and throws where and why it fails. `line` is the line of the file where the text begins. */
export function parseJson(text: string, name: string, parse: Parse, line = 1): unknown {
  try {
    return parse(text)
  } catch (error) {
    const syntaxError = findSyntaxError(text)
    if (!syntaxError) throw fileError(name, failureReason(error))
    const place = lineAndColumn(text, syntaxError.at)
    throw fileError(`${name}:${place.line + line - 1}:${place.column}`, syntaxError.reason, syntaxError.hint)
  }
}
