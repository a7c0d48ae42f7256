import type { Session, SessionCall, SessionMessage, SessionPart } from './session.ts'
import { left } from './to-chat.ts'

/** A session as a document that a person reads. */
export function toMarkdown(session: Session): string {
  const { system, id, title, path, messages, repairs, remaining } = session
  const calls = messages.flatMap(({ parts }) => parts.filter(part => part.kind === 'call'))
  const head = [
    `# ${oneLine(title ?? id)}`,
    [
      `- Program: ${system}`,
      `- Session: ${oneLine(id)}`,
      `- Stored in: ${oneLine(path)}`,
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
      return [part.text]
    case 'reasoning':
      return [part.text.replaceAll(/^/gm, '> ')]
    case 'call':
      return callText(part)
    case 'other':
      return [fenced(left(part.raw))]
  }
}

function callText({ name, id, input, result }: SessionCall): string[] {
  const isText = typeof input === 'string'
  return [
    `**Call** ${code(name)} (${oneLine(id)})`,
    fenced(isText ? input : JSON.stringify(input, undefined, 2), isText ? '' : 'json'),
    ...(result
      ? [
          result.isError ? '**Result**, an error' : '**Result**',
          fenced([result.text, ...result.others.map(left)].join('\n')),
        ]
      : ['**No result yet**']),
  ]
}

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
