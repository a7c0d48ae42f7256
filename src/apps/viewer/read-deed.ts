import { isRecord } from '../../core/conversation.ts'
import { AntiphonError } from '../../core/errors.ts'
import type { Deed } from './protocol.ts'

/** The deed that a text is. Throws in one clear line if it is none. */
export function deedIn(text: string): Deed {
  const value = parsed(text)
  if (!isRecord(value)) throw badDeed('it is no JSON object')
  const { do: what, call, reason, turn } = value
  if (reason !== undefined && typeof reason !== 'string') throw badDeed('its reason is no text')
  if (what === 'interrupt') {
    if (reason === undefined) throw badDeed('it has no reason')
    if (turn !== undefined && !Number.isSafeInteger(turn)) throw badDeed('its turn is no number')
    return { do: 'interrupt', reason, ...(turn === undefined ? {} : { turn: turn as number }) }
  }
  if (what !== 'approve' && what !== 'deny') throw badDeed('it is none that is known')
  if (typeof call !== 'string' || call === '') throw badDeed('it names no call')
  if (what === 'approve') return { do: 'approve', call }
  return { do: 'deny', call, ...(reason === undefined ? {} : { reason }) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const badDeed = (why: string): AntiphonError =>
  new AntiphonError('invalid-action', `this cannot be done: ${why}`, { hint: 'approve, deny or interrupt' })
