import { isRecord } from '../../core/conversation.ts'
import type { Codec } from '../codec.ts'
import { idsIn } from '../shared/ids-in.ts'
import { hasWords } from '../shared/scan.ts'
import { withUnreadFields } from '../shared/unread-fields.ts'
import { decode, isAside } from './decode.ts'
import { encode } from './encode.ts'
import { nameIn } from './field-names.ts'
import { agUiFormat } from './format.ts'
import { AgUiScan } from './scan.ts'

/** The messages of the AG-UI protocol, between agents and the applications that show them. */
export const agUi: Codec = {
  id: 'ag-ui',
  home: 'lenient',
  format: agUiFormat,
  scan: facts => new AgUiScan(facts),
  decode: withUnreadFields(decode),
  encode,
  count(history, from, to) {
    let count = 0
    for (let index = from; index < to; index++) if (!isAside(history[index])) count++
    return count
  },
  isAside,
  opensTurn: message => isRecord(message) && message.role === 'user' && isWords(message.content),
  closesTurn: message =>
    isRecord(message) &&
    message.role === 'assistant' &&
    isWords(message.content) &&
    nameIn(message, 'calls') === undefined,
  callIds(message) {
    const calls = isRecord(message) ? message[nameIn(message, 'calls') ?? ''] : undefined
    return idsIn<{ id?: unknown }>(calls, call => call?.id)
  },
}

const isWords = (content: unknown): boolean => typeof content === 'string' && hasWords(content)
