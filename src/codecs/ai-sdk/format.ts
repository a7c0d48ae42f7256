import type { Format, Message, Part } from '../../core/conversation.ts'
import { replaceStoredFiles } from '../shared/ai-sdk-packages.ts'

export const aiSdkFormat: Format = {
  root: 'messages',
  resultText: 'text',
  system: 'message',
  input: 'value',
  contentKey: false,
  shares: false,
  ordered: true,
  reasoning: 'blocks',
  namesItems: true,
  marksErrors: true,
  namesResults: true,
  formsResults: true,
  approvals: true,
  replaceStoredFiles,
  locate(message: Message, part?: Part): string {
    if (message.origin === undefined) return 'messages'
    const at = part ?? (message.role === 'tool' ? message.parts[0] : undefined)
    return `messages[${message.origin}]${at?.slot === undefined ? '' : `.content[${at.slot}]`}`
  },
}
