import type { Message, Part, Wire } from '../../core/conversation.ts'
import { listOf } from './calls.ts'

export const wire: Wire = {
  root: 'messages',
  system: 'message',
  input: 'value',
  contentKey: false,
  shares: false,
  ordered: false,
  reasoning: 'field',
  marksErrors: true,
  marksInvalid: true,
  locate(message: Message, part?: Part): string {
    if (message.origin === undefined) return 'messages'
    const place = part ? placeOf(part) : ''
    const holder = place === '' || message.within === undefined ? '' : `.${message.within}`
    return `messages[${message.origin}]${holder}${place}`
  },
}

function placeOf(part: Part): string {
  const at = part.slot === undefined ? '' : `[${part.slot}]`
  switch (part.kind) {
    case 'call':
      return at === '' ? '' : `.${listOf(part)}${at}`
    case 'result':
      return ''
    case 'reasoning':
      return at === '' ? '.additional_kwargs.reasoning_content' : `.content${at}`
    case 'other':
      return `.${part.field ?? 'content'}${at}`
    case 'text':
      return `.content${at}`
  }
}
