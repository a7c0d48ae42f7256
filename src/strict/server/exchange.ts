import { compose } from '../answers/answer.ts'
import { checkReply } from '../answers/check-reply.ts'
import { countBody } from '../answers/count.ts'
import type { Ids } from '../answers/ids.ts'
import type { ReplyContent, ReplyFunction } from '../answers/script.ts'
import { scriptInput } from '../answers/script-input.ts'
import type { Grammar } from '../grammar/grammar.ts'
import { grammars } from '../grammar/index.ts'
import { isObject, type JsonObject } from '../json.ts'
import { modelBody, modelList } from '../models.ts'
import { demandMode, modeNames, type ParsedMode, parseMode } from '../modes.ts'
import type { FailureKind, Provider, ProviderRejection, StrictRequest } from '../provider.ts'
import { accountOf } from './account.ts'
import type { Framing } from './framing.ts'
import { type IncomingRequest, locate, type ReceivedRequest, type RequestTarget, readRequest } from './incoming.ts'
import { type ServerAnswer, streamed, whole } from './outgoing.ts'
import type { ServerState } from './state.ts'
import { lookups, missingBasis, openConversation } from './stored.ts'

/** What all requests of a server share. */
export interface ServerContext {
  providers: Provider[]
  /** The provider to use when the path does not name one. */
  main: Provider | undefined
  state: ServerState
  ids: Ids
  mode: ParsedMode | undefined
  reply: ReplyFunction
  received: ReceivedRequest[]
  onRequest: ((received: ReceivedRequest) => void) | undefined
}

/** Answers one request. */
export async function exchange(context: ServerContext, incoming: IncomingRequest): Promise<ServerAnswer> {
  const target = locate(incoming, context.providers, context.main)
  const grammar = grammars[target.api]
  const request = readRequest(target, incoming, grammar.requestId(context.ids))
  context.received.push(request)
  const state = context.state.of(accountOf(request))
  const current: Exchange = { ...target, context, state, request, grammar, framing: grammar.framing(request) }
  const outcome = await serve(current, incoming.body === undefined).catch(crashed)
  const settled = announce(current, outcome)
  const { headers, ...rest } = 'fact' in settled ? rejectedAnswer(settled, current) : settled
  return { ...rest, headers: { [grammar.requestIdHeader]: request.id, ...headers } }
}

/** Reports the outcome of a request to the listener. A listener that throws is a mistake in the test. */
function announce(
  { context, request }: Exchange,
  outcome: ServerAnswer | ProviderRejection,
): ServerAnswer | ProviderRejection {
  if ('fact' in outcome) request.verdict = outcome
  try {
    context.onRequest?.(request)
    return outcome
  } catch (error) {
    request.verdict = crashed(error)
    return request.verdict
  }
}

interface Exchange extends RequestTarget {
  context: ServerContext
  /** The state of the request's account. */
  state: ServerState
  request: ReceivedRequest
  grammar: Grammar
  framing: Framing
}

async function serve(current: Exchange, isTooLarge: boolean): Promise<ServerAnswer | ProviderRejection> {
  const { context, state, request, route, provider, api } = current
  if (/\bwebsocket\b/i.test(request.headers.upgrade ?? '')) return overHttp
  if (!route) return failed('not-found', current)
  if (isTooLarge) return failed('too-large', current)
  const { endpoint, subject = '' } = route
  if (endpoint === 'models') return whole(modelList(api, provider.id))
  if (endpoint === 'model') return whole(modelBody(api, provider.id, subject))
  const lookup = lookups[endpoint]
  if (lookup) return found(lookup(subject, state, request))
  if (!isObject(request.body)) return failed('bad-json', current)
  if (endpoint === 'conversations') return whole(openConversation(request.body, context.ids, state))
  return judge(current, endpoint === 'count')
}

/** In the order of a real provider: first the load, then what the request builds on, then the history. */
async function judge(current: Exchange, isCount: boolean): Promise<ServerAnswer | ProviderRejection> {
  const { context, state, request, provider, api } = current
  const header = request.headers['x-strict-mode']
  const wanted = header === undefined ? undefined : parseMode(header)
  if (header !== undefined && !wanted) return mistake('mode', `unknown mode '${header}' (${modeNames})`, 400)
  const mode = wanted ?? context.mode
  const failure = failsAtOnce(mode, request) ? failed(mode.kind, current) : undefined
  const rejection = failure ?? missingBasis(request, state) ?? provider.reject(request, state)
  if (rejection) return rejection
  if (isCount) return whole(countBody(api, request.body))
  const content = checkReply(await context.reply(scriptInput(request, state), request))
  return reply(current, content, wanted ?? (content.fail === undefined ? context.mode : demandMode(content.fail)))
}

function reply(
  current: Exchange,
  content: ReplyContent,
  mode: ParsedMode | undefined,
): ServerAnswer | ProviderRejection {
  const { request, provider, grammar, framing } = current
  if (failsAtOnce(mode, request)) return failed(mode.kind, current)
  const answer = composed(current, content, isFailure(mode))
  if (!request.stream) return whole(grammar.whole(answer), mode)
  const events = grammar.stream(answer)
  const half = Math.floor(events.length / 2)
  if (!isFailure(mode))
    return streamed(framing, framing.frame(events, mode?.kind === 'malformed' ? half : undefined), mode)
  const rest = grammar.fail(provider.failure(mode.kind, request), answer, half)
  return streamed(framing, framing.frame([...events.slice(0, half), ...rest]))
}

const composed = (
  { request, provider, grammar, state, context: { ids } }: Exchange,
  content: ReplyContent,
  fails: boolean,
) =>
  compose(content, { request, provider, ids, state, fails }, grammar.answerId(ids), name => grammar.callId(ids, name))

type RejectingMode = ParsedMode & { kind: 'rate-limit' | 'overload' }

const isFailure = (mode: ParsedMode | undefined): mode is RejectingMode =>
  mode?.kind === 'rate-limit' || mode?.kind === 'overload'

/** Without a stream nothing can fail inside it. */
const failsAtOnce = (mode: ParsedMode | undefined, { stream }: StrictRequest): mode is RejectingMode =>
  isFailure(mode) && !(mode.inStream && stream)

const failed = (kind: FailureKind, { provider, request }: Exchange): ProviderRejection => ({
  ...provider.failure(kind, request),
  fact: kind,
  message: kind,
})

/** A script, a listener or a custom provider has thrown. */
const crashed = (error: unknown): ProviderRejection => mistake('crash', `strict: ${wordsOf(error)}`, 500)

/** What was thrown may be anything, also a value that cannot become a text. */
function wordsOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'something was thrown that is not an error'
  }
}

/** An error of the test itself, which the client need not retry. */
const mistake = (fact: string, message: string, status: number): ProviderRejection => ({
  ...{ fact, message, status },
  headers: { 'x-should-retry': 'false' },
  body: { error: { message, type: 'strict_error' } },
})

/** After status 426, clients such as Codex fall back to HTTP at once; after any other status they retry the WebSocket. */
const overHttp: ProviderRejection = {
  ...mistake('websocket', 'strict: WebSockets are not simulated, send the request over HTTP', 426),
  headers: { upgrade: 'HTTP/1.1', connection: 'upgrade, close' },
}

const found = (value: JsonObject | ProviderRejection): ServerAnswer | ProviderRejection =>
  isRefusal(value) ? value : whole(value)

const isRefusal = (value: JsonObject | ProviderRejection): value is ProviderRejection => typeof value.fact === 'string'

function rejectedAnswer(rejection: ProviderRejection, current: Exchange): ServerAnswer {
  const { request, grammar, framing } = current
  if (rejection.inStream && request.stream)
    return streamed(framing, framing.frame(grammar.fail(rejection, composed(current, {}, true), 0)))
  const body = request.stream && framing.failure ? framing.failure(rejection.body) : rejection.body
  const { headers, ...rest } = whole(body, undefined, rejection.status)
  return { ...rest, headers: { ...headers, ...rejection.headers } }
}
