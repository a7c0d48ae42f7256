import type { Codec } from '../../codecs/codec.ts'
import { type CodecId, codecs } from '../../codecs/index.ts'
import { replies } from '../../codecs/shared/replies.ts'
import type { Conversation } from '../../core/conversation.ts'
import { type DialectId, dialects } from '../../core/dialects/index.ts'
import { RuleContext } from '../../core/rules/rule.ts'
import { decodeHistory } from '../../heal/heal.ts'
import { type HealOptions, planFor } from '../../heal/options.ts'
import { healRequest } from '../../heal/request/heal-request.ts'
import { formatOfHistory, readBody } from '../../heal/request/request-body.ts'
import type { TapedRequest, TapedResponse, TapeEntry } from './entry.ts'
import { type FirstFailure, findFirstFailure } from './first-failure.ts'
import { buildTimeline, type NamedCall, type RequestContent, type Timeline } from './timeline.ts'

/** The analysis of a tape: the outcome of every request and every call, and the first failure. */
export interface Inspection extends Timeline {
  readonly firstFailure?: FirstFailure
}

export function inspect(entries: readonly TapeEntry[]): Inspection {
  const timeline = buildTimeline(entries, { request: readRequest, calls: callsInResponse })
  const firstFailure = findFirstFailure(entries, timeline)
  return firstFailure ? { ...timeline, firstFailure } : timeline
}

/** The options to check a recorded request with. */
export function recordedOptions({ wire, dialect }: TapedRequest): HealOptions {
  const known = dialect !== undefined && Object.hasOwn(dialects, dialect) ? (dialect as DialectId) : undefined
  const format = wire !== undefined && Object.hasOwn(codecs, wire) ? (wire as CodecId) : undefined
  return { ...(known === undefined ? {} : { for: known }), ...(format === undefined ? {} : { format }) }
}

function readRequest(request: TapedRequest): RequestContent | undefined {
  const body = readBody(request.body)
  if (!body || !Array.isArray(body.history)) return undefined
  try {
    const { for: dialect, format: known } = recordedOptions(request)
    const home = dialect ? dialects[dialect].codec : formatAt(request.url)
    const format = known ?? formatOfHistory(body, home)
    const options = {
      ...(body.model === undefined ? {} : { model: body.model }),
      ...(dialect === undefined ? {} : { for: dialect }),
      ...(format === undefined ? {} : { format }),
      continues: body.continues,
    }
    const plan = planFor(body.history, options)
    const { remaining } = healRequest(request.body, { ...options, allow: [] })
    return {
      format: plan.codec.id,
      dialect: plan.dialect.id,
      messages: body.history.length,
      opening: openingOf(body.history, plan.codec),
      continues: body.continues,
      calls: callsIn(new RuleContext(decodeHistory(body.history, plan), plan)),
      errors: remaining.filter(({ severity }) => severity === 'error'),
    }
  } catch {
    // A format that its dialect does not support, or a body that is nested too deeply.
    return undefined
  }
}

/** The usual format at a URL, for messages that fit several formats. */
const formatAt = (url = ''): CodecId | undefined => endpoints.find(([, path]) => path.test(url))?.[0]

const endpoints: readonly (readonly [CodecId, RegExp])[] = [
  ['openai-chat', /\/chat\/completions(\?|$)/],
  ['openai-responses', /\/responses(\?|$)/],
  ['gemini-interactions', /\/interactions(\?|$)/],
  ['anthropic', /\/messages(\?|$)/],
  ['gemini', /:(stream)?generateContent(\?|$)/i],
  ['bedrock', /\/converse(-stream)?(\?|$)/],
]

/** Everything up to the first user message. */
function openingOf(history: readonly unknown[], { opensTurn }: Codec): string {
  const first = history.slice(0, openingMax).findIndex(message => opensTurn(message))
  return JSON.stringify(history.slice(0, first + 1))
}

const openingMax = 20

/** The calls of a history; in formats without ids, a call is identified by its name. */
function callsIn({ pairing }: RuleContext): RequestContent['calls'] {
  return named(
    pairing.calls.map(({ part, answer }) => ({ id: part.id, name: part.name, answered: answer !== undefined })),
  )
}

function named<Call extends NamedCall>(calls: readonly Call[]): Call[] {
  return calls.map(call => (call.id === '' ? { ...call, id: call.name } : call))
}

/** The calls that a response makes; none if it cannot be read. */
function callsInResponse({ body, reply }: TapedResponse, requestFormat: string | undefined): readonly NamedCall[] {
  try {
    const format =
      requestFormat !== undefined && Object.hasOwn(codecs, requestFormat) ? (requestFormat as CodecId) : undefined
    for (const id of [...(format ? [format] : []), ...(Object.keys(codecs) as CodecId[])]) {
      const messages = reply?.messages ?? replies[id].read(body)?.messages
      if (messages && messages.length > 0) return named(callParts(codecs[id].decode(messages)))
    }
  } catch {
    // The response has an unknown format.
  }
  return []
}

const callParts = ({ messages }: Conversation): NamedCall[] =>
  messages.flatMap(({ parts }) =>
    parts.flatMap(part => (part.kind === 'call' ? [{ id: part.id, name: part.name }] : [])),
  )
