import type { Format, Message, Part } from '../../core/conversation.ts'

export const openaiChatFormat: Format = {
  root: 'messages',
  resultText: 'text',
  system: 'message',
  input: 'text',
  contentKey: true,
  shares: false,
  ordered: false,
  reasoning: 'field',
  legacyCalls: true,
  locate(message: Message, part?: Part): string {
    if (message.origin === undefined) return 'messages'
    return `messages[${message.origin}]${part ? place(part) : ''}`
  },
}

function place(part: Part): string {
  switch (part.kind) {
    case 'call':
      return part.callKind === 'legacy' ? '.function_call' : part.slot === undefined ? '' : `.tool_calls[${part.slot}]`
    case 'reasoning':
      return '.reasoning_content'
    case 'result':
      return ''
    case 'other':
      if (part.field !== undefined) return `.${part.field}`
  }
  return part.slot === undefined ? '.content' : `.content[${part.slot}]`
}
