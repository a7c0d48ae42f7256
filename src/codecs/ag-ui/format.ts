import type { Format, Message, Part } from '../../core/conversation.ts'

export const agUiFormat: Format = {
  root: 'messages',
  system: 'message',
  input: 'text',
  contentKey: false,
  shares: false,
  ordered: false,
  reasoning: 'blocks',
  marksErrors: true,
  formsResults: true,
  callsOnce: true,
  keepsText: true,
  interrupts: true,
  locate(message: Message, part?: Part): string {
    if (message.origin === undefined) return 'messages'
    return `messages[${message.origin}]${part ? place(part) : ''}`
  },
}

function place(part: Part): string {
  if (part.kind === 'result' || (part.kind === 'call' && part.field === undefined)) return ''
  const field = part.kind === 'call' || part.kind === 'other' ? part.field : undefined
  return `.${field ?? 'content'}${part.slot === undefined ? '' : `[${part.slot}]`}`
}
