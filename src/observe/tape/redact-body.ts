import { isRecord } from '../../core/conversation.ts'
import { Filler } from './filler.ts'
import { isWords, redactSettings } from './redact-settings.ts'
import { redactWire } from './redact-wire.ts'

/**
 * A request or a response without a word of what was said. It stands here and not on the floor of `../../heal/shrink/redact.ts`, because a
 * tape is below everything that writes one; and it goes further than that, because a whole tape must replay as it was: what
 * differed still differs, and the settings around a history stay.
 */
export function redactBody(body: unknown): unknown {
  const filler = new Filler()
  if (!isRecord(body)) return redactWire(body, filler)
  // Of its own, so that a history that grows does not change what is put around it, nor the other way round.
  const around = new Filler()
  return Object.fromEntries(
    Object.entries(body).map(([key, field]) => [
      key,
      isWords(key) ? redactWire(field, filler) : redactSettings(field, around, key),
    ]),
  )
}

/** A response: what stands around the words of a model tells of it, not of what was said. */
export const redactAnswer = (body: unknown): unknown => redactWire(body, new Filler())

/** Input, before it is part of a history. */
export const redactInput = (content: unknown): unknown => redactWire(content, new Filler())
