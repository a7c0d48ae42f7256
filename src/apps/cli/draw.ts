import type { Conversation, Message, Part } from '../../core/conversation.ts'
import { describe } from './describe.ts'

/** One line of a drawing. `text` has the role only in the first line of a message, `content` in every line. `places` are the paths of what it shows. */
export interface Drawn {
  readonly text: string
  readonly content: string
  readonly places: readonly string[]
}

/** Draws a history: one line per text, call or result, with ids at the end. */
export const draw = ({ messages, format: wire }: Conversation, saidWidth = 62): Drawn[] =>
  messages.flatMap(message =>
    message.parts.map((part, index) => ({
      text: line(index === 0 ? message.role : '', part, saidWidth),
      content: line(message.role, part, saidWidth),
      places: [wire.locate(message, part), ...(index === 0 ? [wire.locate(message)] : [])],
    })),
  )

function line(role: Message['role'] | '', part: Part, saidWidth: number): string {
  const failed = part.kind === 'result' && part.error ? '(error) ' : ''
  const content = failed + describe(part, saidWidth - failed.length)
  const id = part.kind === 'call' || part.kind === 'result' ? part.id : ''
  return `${role.padEnd(9)}  ${content.padEnd(saidWidth)}  ${id}`.trimEnd()
}
