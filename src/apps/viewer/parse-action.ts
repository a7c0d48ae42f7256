import { isRecord } from '../../core/conversation.ts'
import { AntiphonError } from '../../core/errors.ts'
import { tryParseJson } from '../../core/json/try-parse-json.ts'
import type { StoreAction, ThreadAction } from './protocol.ts'

/** Parses an action on a store. Throws an error with one line if the text is not a valid one. */
export function parseStoreAction(text: string): StoreAction {
  const value = tryParseJson(text)
  const what = isRecord(value) ? value.do : undefined
  if (what === 'fix' || what === 'undo') return { do: what }
  throw new AntiphonError('invalid-action', 'invalid action for a store', { hint: '"do" must be one of: fix, undo' })
}

/** Parses an action on a thread. Throws an error with one line if the text is not a valid one. */
export function parseThreadAction(text: string): ThreadAction {
  const value = tryParseJson(text)
  if (!isRecord(value)) throw invalidAction('not a JSON object')
  const { do: what, call, reason, turn, branch } = value
  if (reason !== undefined && typeof reason !== 'string') throw invalidAction('reason must be a string')
  if (what === 'interrupt') {
    if (reason === undefined) throw invalidAction('reason is missing')
    if (turn !== undefined && !Number.isSafeInteger(turn)) throw invalidAction('turn must be an integer')
    return { do: 'interrupt', reason, ...(turn === undefined ? {} : { turn: turn as number }) }
  }
  if (what === 'switch') {
    if (!Number.isSafeInteger(branch)) throw invalidAction('branch must be an integer')
    return { do: 'switch', branch: branch as number }
  }
  if (what !== 'approve' && what !== 'deny') throw invalidAction('unknown value of "do"')
  if (typeof call !== 'string' || call === '') throw invalidAction('call is missing')
  if (what === 'approve') return { do: 'approve', call }
  return { do: 'deny', call, ...(reason === undefined ? {} : { reason }) }
}

const invalidAction = (why: string): AntiphonError =>
  new AntiphonError('invalid-action', `invalid action: ${why}`, {
    hint: '"do" must be one of: approve, deny, interrupt, switch',
  })
