import type { Format, Message, Part } from '../../core/conversation.ts'

export const geminiFormat: Format = {
  root: 'contents',
  system: 'none',
  input: 'value',
  contentKey: false,
  shares: true,
  ordered: true,
  reasoning: 'blocks',
  marksErrors: true,
  idless: true,
  namesResults: true,
  signsCalls: true,
  locate(message: Message, part?: Part): string {
    if (message.origin === undefined) return 'contents'
    const at = part ?? message.parts[0]
    return `contents[${message.origin}]${at?.slot === undefined || (!part && message.role !== 'tool') ? '' : `.parts[${at.slot}]`}`
  },
}
