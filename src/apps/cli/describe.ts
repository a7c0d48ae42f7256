import { type Message, type Part, resultText } from '../../core/conversation.ts'
import { shorten } from './plain.ts'

/** A part in one line. */
export function describe(part: Part, width: number): string {
  switch (part.kind) {
    case 'text':
      return quote(part.text, width)
    case 'call':
      return shorten(`${part.name}(${inline(part.input)})`, width)
    case 'result':
      return quote(resultText(part) || inline(part.content), width)
    case 'reasoning':
      return shorten(`(reasoning) ${part.text}`, width)
    case 'other':
      return shorten(inline(part.raw), width)
  }
}

/** A message in one line. */
export function describeMessage(message: Message, width: number): string {
  const content = message.parts.map(part => describe(part, width)).join(' ')
  return shorten(`${message.role}: ${content || '(nothing)'}`, width)
}

const quote = (text: string, width: number): string => `"${shorten(text, width - 2)}"`

function inline(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return '…'
  }
}
