import { isRecord } from '../../core/conversation.ts'
import { LeftOut } from './left-out.ts'

/** Stands before a variable or a command in a text, which a shell replaces by its value. It is not a character of Unicode. */
export const expansionMark = '\uFDD0'

/** Whether a shell would replace what begins here. `$5` is taken for a price. */
export function isExpansion(text: string, at: number): boolean {
  expansion.lastIndex = at
  return expansion.test(text)
}

const expansion = /`|\$[A-Za-z_{(]/y

/** A text with a mark before each variable and command. */
export const markExpansions = (text: string): string => text.replace(/`|\$(?=[A-Za-z_{(])/g, `${expansionMark}$&`)

export const withoutMarks = (text: string): string => text.replaceAll(expansionMark, '')

/** The lines of a here-document whose word is not quoted. */
export const expandedLines = (text: string): string =>
  text.replace(/\\([$`\\\n])|`|\$(?=[A-Za-z_{(])/g, (all, escaped: string | undefined) =>
    escaped === undefined ? expansionMark + all : escaped === '\n' ? '' : escaped,
  )

/**
 * Puts a `LeftOut` in place of each text of a parsed body that a shell would have changed, and returns the first one. If the body is not JSON,
 * what the shell puts into it may be the reason.
 */
export function leaveOutExpansions(value: unknown, body: string): LeftOut | undefined {
  if (!body.includes(expansionMark)) return undefined
  let first: LeftOut | undefined
  const leaveOut = (object: object, key: string, text: string): void => {
    const one = new LeftOut(0, reasonIn(text))
    first ??= one
    Object.defineProperty(object, key, { value: one, enumerable: true, writable: true, configurable: true })
  }
  const visit = (value: unknown, depth: number): void => {
    if (!Array.isArray(value) && !isRecord(value)) return
    for (const [key, one] of Object.entries(value)) {
      const text = key.includes(expansionMark) ? key : one
      if (typeof text === 'string') {
        if (text.includes(expansionMark)) leaveOut(value, key, text)
      } else if (depth < depthMax) visit(one, depth + 1)
      else if (typeof one === 'object') leaveOut(value, key, body)
    }
  }
  visit(value, 0)
  return first ?? new LeftOut(0, reasonIn(body))
}

/** Histories are not searched for any deeper. */
const depthMax = 1000

function reasonIn(text: string): string {
  const [, name] = /\uFDD0(\$\w{1,40}|\$\{\w{1,40})/.exec(text) ?? []
  return name === undefined
    ? 'a command of the shell is in the body, and its output is not in the text'
    : `${name.replace('{', '')} is a variable, and its value is not in the text`
}
