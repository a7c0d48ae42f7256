import type { Codec } from '../../codecs/codec.ts'
import { type CodecId, codecs } from '../../codecs/index.ts'
import { replies } from '../../codecs/shared/replies.ts'
import type { Conversation } from '../../core/conversation.ts'
import { type DialectId, dialects } from '../../core/dialects/index.ts'
import { Scene } from '../../core/rules/rule.ts'
import { read } from '../../heal/heal.ts'
import { type HealOptions, planFor } from '../../heal/options.ts'
import { healRequest } from '../../heal/request/heal-request.ts'
import { readBody, shapeOfHistory } from '../../heal/request/request-body.ts'
import type { TapedRequest, TapedResponse, TapeEntry } from './entry.ts'
import { type Moment, momentOf } from './moment.ts'
import { type NamedCall, type Reading, type Timeline, timelineOf } from './timeline.ts'

/** What a tape tells: what became of every request and every call, and where the history became malformed. */
export interface Inspection extends Timeline {
  readonly moment?: Moment
}

export function inspect(entries: readonly TapeEntry[]): Inspection {
  const timeline = timelineOf(entries, { request: readRequest, calls: callsOf })
  const moment = momentOf(entries, timeline)
  return moment ? { ...timeline, moment } : timeline
}

/** The options that a recorded request is to be checked with. */
export function optionsOf({ wire, dialect }: TapedRequest): HealOptions {
  const reader = dialect !== undefined && Object.hasOwn(dialects, dialect) ? (dialect as DialectId) : undefined
  const format = wire !== undefined && Object.hasOwn(codecs, wire) ? (wire as CodecId) : undefined
  return { ...(reader === undefined ? {} : { for: reader }), ...(format === undefined ? {} : { format }) }
}

function readRequest(request: TapedRequest): Reading | undefined {
  const body = readBody(request.body)
  if (!body || !Array.isArray(body.history)) return undefined
  try {
    const { for: reader, format: known } = optionsOf(request)
    const home = reader ? dialects[reader].codec : wireAt(request.url)
    const format = known ?? shapeOfHistory(body, home)
    const options = {
      ...(body.model === undefined ? {} : { model: body.model }),
      ...(reader === undefined ? {} : { for: reader }),
      ...(format === undefined ? {} : { format }),
      continues: body.continues,
    }
    const plan = planFor(body.history, options)
    const { remaining } = healRequest(request.body, { ...options, allow: [] })
    return {
      wire: plan.codec.id,
      dialect: plan.dialect.id,
      messages: body.history.length,
      opening: openingOf(body.history, plan.codec),
      continues: body.continues,
      calls: callsIn(new Scene(read(body.history, plan), plan)),
      errors: remaining.filter(({ severity }) => severity === 'error'),
    }
  } catch {
    // A wire and a reader that cannot go together, or a depth that nobody can go to: there is nothing to tell of it.
    return undefined
  }
}

/** What is usually spoken at an address, where the messages alone fit several wires. */
const wireAt = (url = ''): CodecId | undefined => endpoints.find(([, path]) => path.test(url))?.[0]

const endpoints: readonly (readonly [CodecId, RegExp])[] = [
  ['openai-chat', /\/chat\/completions(\?|$)/],
  ['openai-responses', /\/responses(\?|$)/],
  ['anthropic', /\/messages(\?|$)/],
  ['gemini', /:(stream)?generateContent(\?|$)/i],
  ['bedrock', /\/converse(-stream)?(\?|$)/],
]

/** Everything up to the first words of the user. */
function openingOf(history: readonly unknown[], { opensTurn }: Codec): string {
  const first = history.slice(0, openingMax).findIndex(message => opensTurn(message))
  return JSON.stringify(history.slice(0, first + 1))
}

const openingMax = 20

/** The calls of a history, with a name of their own where the wire has no ids. */
function callsIn({ pairing }: Scene): Reading['calls'] {
  return named(
    pairing.calls.map(({ part, answer }) => ({ id: part.id, name: part.name, answered: answer !== undefined })),
  )
}

function named<Call extends NamedCall>(calls: readonly Call[]): Call[] {
  return calls.map(call => (call.id === '' ? { ...call, id: call.name } : call))
}

/** The calls that a response makes. Of what cannot be read nothing is told. */
function callsOf({ body, reply }: TapedResponse, wire: string | undefined): readonly NamedCall[] {
  try {
    const format = wire !== undefined && Object.hasOwn(codecs, wire) ? (wire as CodecId) : undefined
    for (const id of [...(format ? [format] : []), ...(Object.keys(codecs) as CodecId[])]) {
      const messages = reply?.messages ?? replies[id].read(body)?.messages
      if (messages && messages.length > 0) return named(callParts(codecs[id].decode(messages)))
    }
  } catch {
    // A response in no form that is known.
  }
  return []
}

const callParts = ({ messages }: Conversation): NamedCall[] =>
  messages.flatMap(({ parts }) =>
    parts.flatMap(part => (part.kind === 'call' ? [{ id: part.id, name: part.name }] : [])),
  )
