import type { Message, Part, Wire } from '../../core/conversation.ts'

export const wire: Wire = {
  root: 'messages',
  system: 'none',
  input: 'value',
  contentKey: false,
  shares: true,
  ordered: true,
  reasoning: 'blocks',
  locate(message: Message, part?: Part): string {
    if (message.origin === undefined) return 'messages'
    const at = part ?? message.parts[0]
    return `messages[${message.origin}]${at?.slot === undefined || (!part && message.role !== 'tool') ? '' : `.content[${at.slot}]`}`
  },
}
