import type { IncomingHttpHeaders } from 'node:http'
import { AntiphonError } from '../../../core/errors.ts'
import { endOfString, endOfValue, skipSpace } from '../../../core/json/json-spans.ts'
import { costsMore } from '../../../core/json/parse-cost.ts'
import { lessonKey } from '../../fetch/lesson-key.ts'
import type { ProxyContext } from '../context.ts'
import { countRules } from '../count-rules.ts'
import { healBodyText } from '../heal-body-text.ts'
import type { Healed } from '../heal-in-worker.ts'
import type { HistoryTarget } from '../history-target.ts'

/** The connection of a message. */
export interface MessageSource {
  readonly context: ProxyContext
  readonly target: HistoryTarget
  readonly headers: IncomingHttpHeaders
  isGone(): boolean
}

/**
 * Repairs a message that creates a response: it has the fields of a request. Undefined for every other message, and if it
 * cannot be repaired. No tool is renamed, because the answers are not changed.
 */
export async function healMessage(
  { context, target, headers, isGone }: MessageSource,
  payload: Buffer,
): Promise<Healed | undefined> {
  const text = decodeText(payload)
  if (text === undefined || typeIn(text) !== 'response.create') return undefined
  const { endpoint, url } = target
  const lessons = context.memory.recall(lessonKey(url, Object.entries(headers)))
  const after = { lessons, namesStay: true } as const
  try {
    if (payload.length > inlineMax || costsMore(text, text.length + inlineMax)) {
      const unpack = async () => new Uint8Array(payload)
      const body = { bytes: payload.length, isGone, unpack }
      return await context.queue.heal(body, endpoint, context.choices, after, context.resizer.resize)
    }
    const healed = await context.resizer.run(resize =>
      healBodyText(text, endpoint, resize ? { ...context.choices, resize } : context.choices, after),
    )
    const body = healed?.changed ? Buffer.from(healed.text) : undefined
    return healed && { ...healed, rules: countRules(healed.repairs), body }
  } catch (error) {
    context.unhealed(error instanceof AntiphonError && error.code === 'repair-limit' ? 'limit' : 'failed', error)
    return undefined
  }
}

/** As for requests: longer ones are repaired in a worker thread. */
const inlineMax = 256 * 1024

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The `type` of an event, without parsing the rest of it; undefined if there is none. */
export function typeIn(text: string): string | undefined {
  let type: string | undefined
  const start = skipSpace(text, 0)
  if (text[start] !== '{') return undefined
  for (let next = skipSpace(text, start + 1); text[next] === '"'; ) {
    const keyEnd = endOfString(text, next)
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const end = endOfValue(text, value)
    if (end === undefined) break
    if (text.slice(next, keyEnd) === '"type"') type = text.slice(value + 1, end - 1)
    next = skipSpace(text, end)
    if (text[next] !== ',') break
    next = skipSpace(text, next + 1)
  }
  return type
}
