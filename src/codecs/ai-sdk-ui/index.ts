import { isRecord } from '../../core/conversation.ts'
import type { Codec } from '../codec.ts'
import { asSent, itemIdsIn } from '../shared/ai-sdk-packages.ts'
import { idsIn } from '../shared/ids-in.ts'
import { hasWords } from '../shared/scan.ts'
import { text } from '../shared/text.ts'
import { withUnreadFields } from '../shared/unread-fields.ts'
import { count, decode, isSteering, isStepStart } from './decode.ts'
import { encode } from './encode.ts'
import { aiSdkUiFormat } from './format.ts'
import { UiScan } from './scan.ts'
import { idOf, isStreaming, isToolPart } from './tool-part.ts'

/** The UI messages of the AI SDK, versions 4 to 7: what a chat shows and stores, with calls and results in one part. */
export const aiSdkUi: Codec = {
  id: 'ai-sdk-ui',
  home: 'lenient',
  format: aiSdkUiFormat,
  asSent,
  scan: facts => new UiScan(facts),
  decode: withUnreadFields(decode, 'parts'),
  encode,
  count,
  opensTurn: message => isFrom('user', message) && message.parts.length > 0 && message.parts.every(isWords),
  closesTurn: message => isFrom('assistant', message) && endsInWords(message.parts),
  callIds: message => idsIn(isRecord(message) && message.parts, callId),
  itemIds: message => itemIdsIn(isRecord(message) && message.parts, 'providerMetadata'),
}

const callId = (part: unknown): unknown => (isToolPart(part) && !isStreaming(part) ? idOf(part) : undefined)

interface UiMessage {
  readonly parts: readonly unknown[]
}

const isFrom = (role: string, message: unknown): message is UiMessage =>
  isRecord(message) && message.role === role && Array.isArray(message.parts)

const isWords = (part: unknown): boolean => isRecord(part) && part.type === 'text' && hasWords(text(part.text))

/** Whether the last step is text and nothing else, whatever the steps before it are. */
function endsInWords(parts: readonly unknown[]): boolean {
  let index = parts.length
  while (index > 0 && isWords(parts[index - 1])) index--
  return index < parts.length && (index === 0 || isStepStart(parts[index - 1]) || isSteering(parts[index - 1]))
}
