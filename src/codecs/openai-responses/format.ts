import type { Format, Message, Part } from '../../core/conversation.ts'

export const openaiResponsesFormat: Format = {
  root: 'input',
  resultText: 'input_text',
  system: 'message',
  input: 'text',
  contentKey: false,
  shares: false,
  ordered: true,
  reasoning: 'items',
  locate(message: Message, part?: Part): string {
    if (message.role === 'assistant') {
      const slot = (part ?? message.parts[0])?.slot ?? message.origin
      return slot === undefined ? 'input' : `input[${slot}]`
    }
    if (message.origin === undefined) return 'input'
    const inside = part?.slot !== undefined && message.role !== 'tool'
    return `input[${message.origin}]${inside ? `.content[${part.slot}]` : ''}`
  },
}
