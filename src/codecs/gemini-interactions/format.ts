import type { Format, Message, Part } from '../../core/conversation.ts'

export const geminiInteractionsFormat: Format = {
  root: 'input',
  system: 'none',
  input: 'value',
  contentKey: false,
  shares: false,
  ordered: true,
  reasoning: 'items',
  signsItems: true,
  marksErrors: true,
  namesResults: true,
  signsCalls: true,
  locate(message: Message, part?: Part): string {
    if (message.role === 'assistant' || message.listed) {
      const slot = (part ?? message.parts[0])?.slot ?? message.origin
      return slot === undefined ? 'input' : `input[${slot}]`
    }
    if (message.origin === undefined) return 'input'
    const isInside = part?.slot !== undefined && message.role === 'user'
    return `input[${message.origin}]${isInside ? `.content[${part.slot}]` : ''}`
  },
}
