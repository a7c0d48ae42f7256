import type { Fields } from '../../core/conversation.ts'

/** Whether a field cannot have text: marks, counts, settings, ids and copies of calls. */
export function isTextless(key: string): boolean {
  const known = knownKeys.get(key)
  if (known !== undefined) return known
  if (knownKeys.size > knownKeysMax) knownKeys.clear()
  const found = textless.test(key)
  knownKeys.set(key, found)
  return found
}

/** Whether a field has the calls of a message whose role cannot have any. No codec reads them, so they are not copies. */
export const isCallsOfNone = (key: string, { role }: Fields): boolean =>
  (key === 'tool_calls' || key === 'toolCalls') && rolesWithoutCalls.has(role)

const rolesWithoutCalls = new Set<unknown>(['user', 'system', 'developer', 'tool', 'function'])

/** Cached: the messages of a history have the same keys. */
const knownKeys = new Map<string, boolean>()
const knownKeysMax = 1000

const textless =
  /^(type|(part_)?kind|role|state|outcome|timestamp|identifier|dynamic_ref|object|model|index|phase|detail|format|execution|usage|(finish|stop|created|cache|mime|media|lc_|__|providerO|(invalid_)?tool_?call[s_]).*)$|(^|_)ids?$|Ids?$|signature$|metadata$/i
