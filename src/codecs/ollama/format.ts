import type { Format, Message, Part } from '../../core/conversation.ts'

export const ollamaFormat: Format = {
  root: 'messages',
  system: 'message',
  input: 'value',
  contentKey: true,
  shares: false,
  ordered: false,
  reasoning: 'field',
  idless: true,
  formsResults: true,
  writesText: true,
  locate(message: Message, part?: Part): string {
    if (message.origin === undefined) return 'messages'
    return `messages[${message.origin}]${part && message.role !== 'other' ? place(part) : ''}`
  },
}

function place(part: Part): string {
  switch (part.kind) {
    case 'call':
      return part.slot === undefined ? '' : `.tool_calls[${part.slot}]`
    case 'reasoning':
      return '.thinking'
    case 'result':
      return ''
    case 'other':
      if (part.field !== undefined) return `.${part.field}${part.slot === undefined ? '' : `[${part.slot}]`}`
  }
  return part.slot === undefined ? '.content' : `.content[${part.slot}]`
}
