import type { Format, Message, Part } from '../../core/conversation.ts'

export const pydanticAiFormat: Format = {
  root: 'messages',
  system: 'message',
  input: 'value',
  contentKey: false,
  shares: true,
  ordered: true,
  reasoning: 'blocks',
  marksErrors: true,
  namesResults: true,
  locate(message: Message, part?: Part): string {
    if (message.origin === undefined) return 'messages'
    const at = part ?? (message.role === 'assistant' ? undefined : message.parts[0])
    return `messages[${message.origin}]${at?.slot === undefined ? '' : `.parts[${at.slot}]`}`
  },
}
