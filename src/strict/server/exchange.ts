import { compose } from '../answers/answer.ts'
import { type Asked, ask } from '../answers/asked.ts'
import { checkReply } from '../answers/check-reply.ts'
import { countBody } from '../answers/count.ts'
import type { Ids } from '../answers/ids.ts'
import type { Reply, Said } from '../answers/script.ts'
import type { Grammar } from '../grammar/grammar.ts'
import { grammars } from '../grammar/index.ts'
import { isObject, type JsonObject } from '../json.ts'
import { modelBody, modelList } from '../models.ts'
import { demandMode, type Fault, modeNames, parseMode } from '../modes.ts'
import type { FailureKind, Provider, Refusal, StrictRequest } from '../provider.ts'
import { accountOf } from './account.ts'
import type { Framing } from './framing.ts'
import { type Incoming, locate, type Place, type Received, receive } from './incoming.ts'
import { type Outgoing, streamed, whole } from './outgoing.ts'
import type { State } from './state.ts'
import { lookups, missingBasis, openConversation } from './stored.ts'

/** What all requests of a server share. */
export interface World {
  providers: Provider[]
  /** Who answers where the path names nobody. */
  main: Provider | undefined
  state: State
  ids: Ids
  fault: Fault | undefined
  reply(asked: Asked): Reply | Promise<Reply>
  received: Received[]
  onRequest: ((received: Received) => void) | undefined
}

/** Answers one request. */
export async function exchange(world: World, incoming: Incoming): Promise<Outgoing> {
  const place = locate(incoming, world.providers, world.main)
  const grammar = grammars[place.api]
  const request = receive(place, incoming, grammar.requestId(world.ids))
  world.received.push(request)
  const state = world.state.of(accountOf(request))
  const visit: Visit = { ...place, world, state, request, grammar, framing: grammar.framing(request) }
  const outcome = await serve(visit, incoming.body === undefined).catch(crashed)
  const told = announce(visit, outcome)
  const { headers, ...rest } = 'fact' in told ? refused(told, visit) : told
  return { ...rest, headers: { [grammar.requestIdHeader]: request.id, ...headers } }
}

/** Tells whoever listens what becomes of a request. A listener that throws is a mistake in the test. */
function announce({ world, request }: Visit, outcome: Outgoing | Refusal): Outgoing | Refusal {
  if ('fact' in outcome) request.verdict = outcome
  try {
    world.onRequest?.(request)
    return outcome
  } catch (error) {
    request.verdict = crashed(error)
    return request.verdict
  }
}

interface Visit extends Place {
  world: World
  /** What the account of the request has. */
  state: State
  request: Received
  grammar: Grammar
  framing: Framing
}

async function serve(visit: Visit, isTooLarge: boolean): Promise<Outgoing | Refusal> {
  const { world, state, request, route, provider, api } = visit
  if (/\bwebsocket\b/i.test(request.headers.upgrade ?? '')) return overHttp
  if (!route) return failed('not-found', visit)
  if (isTooLarge) return failed('too-large', visit)
  const { endpoint, subject = '' } = route
  if (endpoint === 'models') return whole(modelList(api, provider.id))
  if (endpoint === 'model') return whole(modelBody(api, provider.id, subject))
  const lookup = lookups[endpoint]
  if (lookup) return found(lookup(subject, state, request))
  if (!isObject(request.body)) return failed('bad-json', visit)
  if (endpoint === 'conversations') return whole(openConversation(request.body, world.ids, state))
  return judge(visit, endpoint === 'count')
}

/** As the real one does it: first the load, then what the request builds on, then the history. */
async function judge(visit: Visit, isCount: boolean): Promise<Outgoing | Refusal> {
  const { world, state, request, provider, api } = visit
  const mode = request.headers['x-strict-mode']
  const wanted = mode === undefined ? undefined : parseMode(mode)
  if (mode !== undefined && !wanted) return mistake('mode', `no mode '${mode}': ${modeNames}`, 400)
  const fault = wanted ?? world.fault
  const failure = failsAtOnce(fault, request) ? failed(fault.kind, visit) : undefined
  const refusal = failure ?? missingBasis(request, state) ?? provider.refuse(request, state)
  if (refusal) return refusal
  if (isCount) return whole(countBody(api, request.body))
  const said = checkReply(await world.reply(ask(request, state)))
  return reply(visit, said, wanted ?? (said.fail === undefined ? world.fault : demandMode(said.fail)))
}

function reply(visit: Visit, said: Said, fault: Fault | undefined): Outgoing | Refusal {
  const { request, provider, grammar, framing } = visit
  if (failsAtOnce(fault, request)) return failed(fault.kind, visit)
  const answer = composed(visit, said, isFailure(fault))
  if (!request.stream) return whole(grammar.whole(answer), fault)
  const events = grammar.stream(answer)
  const half = Math.floor(events.length / 2)
  if (!isFailure(fault))
    return streamed(framing, framing.frame(events, fault?.kind === 'malformed' ? half : undefined), fault)
  const rest = grammar.fail(provider.failure(fault.kind, request), answer, half)
  return streamed(framing, framing.frame([...events.slice(0, half), ...rest]))
}

const composed = ({ request, provider, grammar, state, world: { ids } }: Visit, said: Said, fails: boolean) =>
  compose(said, { request, provider, ids, state, fails }, grammar.answerId(ids), name => grammar.callId(ids, name))

type FailureFault = Fault & { kind: 'rate-limit' | 'overload' }

const isFailure = (fault: Fault | undefined): fault is FailureFault =>
  fault?.kind === 'rate-limit' || fault?.kind === 'overload'

/** Without a stream nothing can fail inside it. */
const failsAtOnce = (fault: Fault | undefined, { stream }: StrictRequest): fault is FailureFault =>
  isFailure(fault) && !(fault.inStream && stream)

const failed = (kind: FailureKind, { provider, request }: Visit): Refusal => ({
  ...provider.failure(kind, request),
  fact: kind,
  message: kind,
})

/** A script, a listener or a provider of one's own has thrown. */
const crashed = (error: unknown): Refusal =>
  mistake('crash', `strict: ${error instanceof Error ? error.message : error}`, 500)

/** The test itself is wrong, and not the client, which need not try again. */
const mistake = (fact: string, message: string, status: number): Refusal => ({
  ...{ fact, message, status },
  headers: { 'x-should-retry': 'false' },
  body: { error: { message, type: 'strict_error' } },
})

/** The status on which clients such as Codex go on over HTTP at once; after any other they try a WebSocket again. */
const overHttp: Refusal = {
  ...mistake('websocket', 'strict: WebSockets are not simulated, send the request over HTTP', 426),
  headers: { upgrade: 'HTTP/1.1', connection: 'upgrade, close' },
}

const found = (value: JsonObject | Refusal): Outgoing | Refusal => (isRefusal(value) ? value : whole(value))

const isRefusal = (value: JsonObject | Refusal): value is Refusal => typeof value.fact === 'string'

function refused(refusal: Refusal, visit: Visit): Outgoing {
  const { request, grammar, framing } = visit
  if (refusal.inStream && request.stream)
    return streamed(framing, framing.frame(grammar.fail(refusal, composed(visit, {}, true), 0)))
  const body = request.stream && framing.failure ? framing.failure(refusal.body) : refusal.body
  const { headers, ...rest } = whole(body, undefined, refusal.status)
  return { ...rest, headers: { ...headers, ...refusal.headers } }
}
