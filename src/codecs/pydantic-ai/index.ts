import { type Fields, isRecord } from '../../core/conversation.ts'
import type { Facts } from '../../core/dialect.ts'
import type { Codec } from '../codec.ts'
import { idsIn } from '../shared/ids-in.ts'
import { hasWords } from '../shared/scan.ts'
import { idText, text } from '../shared/text.ts'
import { withUnreadFields } from '../shared/unread-fields.ts'
import { count, decode } from './decode.ts'
import { encode } from './encode.ts'
import { pydanticAiFormat } from './format.ts'
import { PydanticAiScan } from './scan.ts'

/** The messages of Pydantic AI (`ModelMessage`), as `ModelMessagesTypeAdapter` writes them. */
export const pydanticAi: Codec = {
  id: 'pydantic-ai',
  home: 'lenient',
  format: pydanticAiFormat,
  asSent,
  scan: facts => new PydanticAiScan(facts),
  decode: withUnreadFields(decode, 'parts', describing),
  encode,
  count,
  opensTurn: message => isOf(message, 'request', 'user-prompt'),
  closesTurn: message => isOf(message, 'response', 'text'),
  callIds: message =>
    idsIn(isRecord(message) && message.parts, part =>
      isRecord(part) && part.part_kind === 'tool-call' ? idText(part.tool_call_id) : undefined,
    ),
}

/**
 * The library joins neighbours of one kind, with results first, and writes thinking of other providers in its own way. So
 * neither has to be repaired.
 */
function asSent(facts: Facts): Facts {
  const { signature: _, ...rest } = facts
  return {
    ...rest,
    splitResults: 'accept',
    textBesideResults: 'accept',
    textAfterResults: 'accept',
    unsignedThinking: 'accept',
    thinkingAfterCall: 'accept',
    trailingThinking: 'accept',
    missingReasoning: 'accept',
    callWithoutReasoning: 'accept',
    loneReasoning: 'accept',
    malformedResult: 'accept',
  }
}

/** The fields of a message or a part that do not describe it. */
function describing(raw: Fields): Fields {
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !descriptive.test(key)))
}

const descriptive = /^((part_)?kind|outcome|dynamic_ref|model_name|usage|(provider|vendor|finish|run)_.*)$/

/** Whether a message is of a kind and has texts of one kind only. */
const isOf = (message: unknown, kind: string, part: string): boolean =>
  isRecord(message) &&
  message.kind === kind &&
  Array.isArray(message.parts) &&
  message.parts.length > 0 &&
  message.parts.every(raw => isRecord(raw) && raw.part_kind === part && hasWords(text(raw.content)))
