import { isRecord } from '../../core/conversation.ts'
import { Filler } from './filler.ts'
import { redactMessages } from './redact-messages.ts'
import { declaredNames, holdsContent, redactSetting } from './redact-settings.ts'

/**
 * A request body with its content replaced by filler. It does more than `../../heal/shrink/redact.ts`, because a whole tape must replay
 * as it was: different texts stay different, and the settings around a history are kept.
 */
export function redactBody(body: unknown): unknown {
  if (!isRecord(body)) return redactMessages(body, new Filler(), true)
  const filler = new Filler(declaredNames(body))
  // Settings have their own filler, so that a growing history does not change theirs, nor the other way round.
  const settingsFiller = new Filler()
  return Object.fromEntries(
    Object.entries(body).map(([key, field]) => [
      key,
      holdsContent(key) ? redactMessages(field, filler) : redactSetting(field, settingsFiller, key),
    ]),
  )
}

/** A response body with its content replaced by filler. */
export const redactAnswer = (body: unknown): unknown => redactMessages(body, new Filler(), true)

/** User input that is not part of a history yet. */
export const redactInput = (content: unknown): unknown => redactMessages(content, new Filler())
