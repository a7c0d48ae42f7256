import { isDeeperThan } from '../../core/json/nesting.ts'
import type { Session, SessionCall, SessionMessage, SessionPart } from './session.ts'
import { omittedNote } from './to-chat.ts'

/** A session as a document that a person reads. */
export function toMarkdown(session: Session): string {
  const { system, id, title, path, messages, repairs, remaining } = session
  const calls = messages.flatMap(({ parts }) => parts.filter(part => part.kind === 'call'))
  const head = [
    `# ${inline(title ?? id)}`,
    [
      `- Program: ${system}`,
      `- Session: ${inline(id)}`,
      `- Stored in: ${inline(path)}`,
      `- Messages: ${messages.length}, calls: ${calls.length}`,
      ...(repairs.length > 0 ? [`- Repaired here, not in the store: ${rulesOf(repairs)}`] : []),
      ...(remaining.length > 0 ? [`- Not repaired: ${rulesOf(remaining)}`] : []),
    ].join('\n'),
  ]
  return `${[...head, ...messages.flatMap(messageText)].join('\n\n')}\n`
}

const rulesOf = (found: readonly { rule: string }[]): string => [...new Set(found.map(({ rule }) => rule))].join(', ')

const messageText = ({ role, parts }: SessionMessage): string[] => [`## ${titles[role]}`, ...parts.flatMap(partText)]

const titles = { system: 'System', user: 'User', assistant: 'Assistant' } as const

function partText(part: SessionPart): string[] {
  switch (part.kind) {
    case 'text':
      return [contained(part.text)]
    case 'reasoning':
      return ['**Reasoning**', apart(part.text)]
    case 'call':
      return callText(part)
    case 'other':
      return [fenced(omittedNote(part.raw))]
  }
}

function callText({ name, id, input, result }: SessionCall): string[] {
  const isText = typeof input === 'string'
  return [
    `**Call** ${code(name)} (${inline(id)})`,
    fenced(isText ? input : jsonText(input), isText ? '' : 'json'),
    ...(result
      ? [
          result.isError ? '**Result**, an error' : '**Result**',
          fenced([result.text, ...result.others.map(omittedNote)].join('\n')),
        ]
      : ['**No result yet**']),
  ]
}

/** The indentation of a deep value would be far longer than the value. */
const jsonText = (value: unknown): string => JSON.stringify(value, undefined, isDeeperThan(value, indentedMax) ? 0 : 2)

const indentedMax = 12

/**
 * A text as it is, if it ends where it seems to end and has no heading that could pass for the beginning of a message.
 * Otherwise what follows, such as the result of a tool, could be read as something else.
 */
function contained(text: string): string {
  let fence = ''
  let before = ''
  for (const line of text.split(lineEnd)) {
    const [, indent = '', marks = '', rest = ''] = fenceLine.exec(line) ?? []
    // Which block an indented fence belongs to depends on lists and quotes around it.
    if (indent !== '') return apart(text)
    if (fence !== '') {
      if (marks.startsWith(fence) && rest.trim() === '') fence = ''
    } else if (marks !== '' && !(marks.startsWith('`') && rest.includes('`'))) fence = marks
    else if (html.test(line) || label.test(line) || heading.test(line)) return apart(text)
    else if (/[^ \t]/.test(before) && underline.test(line)) return apart(text)
    before = line
  }
  return fence === '' ? text : apart(text)
}

const lineEnd = /\r\n|\r|\n/
const fenceLine = /^( {0,3})(`{3,}|~{3,})(.*)$/s
const label = /^ {0,3}\*\*(?:Call|Result|No result yet|Reasoning)\*\*/
const heading = /^ {0,3}#{1,2}(?:\s|$)/
const underline = /^ {0,3}(?:=+|-+)\s*$/
/** HTML in a text can close a quote, hide what follows in a comment, or show a heading. */
const html = /<[!?/a-z]/i

/** A text as a quote, or as code if HTML could end the quote. */
const apart = (text: string): string => (html.test(text) ? fenced(text) : quoted(text))

const quoted = (text: string): string => `> ${text.replaceAll(/\r\n|\r|\n/g, end => `${end}> `)}`

/** A block of code whose fence is longer than any in its text. */
function fenced(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${language}\n${text}\n${fence}`
}

function code(text: string): string {
  const mark = '`'.repeat(longestRun(text) + 1)
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${mark}${space}${oneLine(text)}${space}${mark}`
}

function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** One line, outside of code. */
const inline = (text: string): string => oneLine(text).replaceAll('<', '&lt;')
