import type { Format, Message, Part } from '../../core/conversation.ts'
import { functionCallPath, isFunctionCall, listOf } from './calls.ts'

/** `list` is the field that the block of a part was read from, if it is not `content`. */
export type Placed = Part & { readonly list?: string }

export const langchainFormat: Format = {
  root: 'messages',
  resultText: 'text',
  listsCalls: true,
  system: 'message',
  input: 'value',
  contentKey: false,
  shares: false,
  ordered: true,
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

function placeOf(part: Placed): string {
  const at = part.slot === undefined ? '' : `[${part.slot}]`
  const list = part.list ?? 'content'
  switch (part.kind) {
    case 'call':
      if (at === '') return isFunctionCall(part) ? `.${functionCallPath}` : ''
      return listOf(part) === 'content' ? `.${list}${at}` : `.${listOf(part)}${at}`
    case 'result':
      return part.by === 'provider' ? `.${list}${at}` : ''
    case 'reasoning':
      return at === '' ? '.additional_kwargs.reasoning_content' : `.${list}${at}`
    case 'other':
      return `.${part.field ?? list}${at}`
    case 'text':
      return `.${list}${at}`
  }
}
