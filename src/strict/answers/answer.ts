import { isObject, type JsonObject, objectOf, parse, textOrJson } from '../json.ts'
import type { Provider, StrictRequest } from '../provider.ts'
import { fixedTime } from '../server/clock.ts'
import type { ServerState } from '../server/state.ts'
import { tokens } from './count.ts'
import type { Ids } from './ids.ts'
import type { ReplyContent, StopReason } from './script.ts'

/** A reply with everything that a grammar needs to write it. */
export interface ComposedAnswer {
  id: string
  /** Seconds since 1970. */
  created: number
  request: StrictRequest
  body: JsonObject
  provider: Provider
  text: string
  thinking: string
  calls: AnswerCall[]
  stop: StopReason
  usage: { input: number; output: number; thinking: number }
  ids: Ids
  state: ServerState
  fails: boolean
}

export interface AnswerCall {
  id: string
  name: string
  /** The arguments as text, which may be broken. */
  text: string
  /** The arguments as an object, empty if the text is not one. */
  input: JsonObject
}

export interface AnswerContext {
  request: StrictRequest
  provider: Provider
  ids: Ids
  state: ServerState
  /** The answer breaks off while it is sent, so nothing of it is stored. */
  fails: boolean
}

/** Fills in the fields that the reply does not set. */
export function compose(
  reply: ReplyContent,
  context: AnswerContext,
  id: string,
  nextCallId: (name: string) => string,
): ComposedAnswer {
  const { text = '', thinking = '' } = reply
  const calls = (reply.calls ?? []).map(({ name, input = {}, id }): AnswerCall => {
    const written = textOrJson(input)
    const parsed = isObject(input) ? input : parse(written)
    return { id: id ?? callId(context, name, nextCallId), name, text: written, input: objectOf(parsed) }
  })
  const usage = {
    input: reply.usage?.input ?? tokens(textOrJson(context.request.body)),
    output: reply.usage?.output ?? tokens(text + thinking + calls.map(call => call.name + call.text).join('')),
    thinking: tokens(thinking),
  }
  const stop = reply.stop ?? (calls.length > 0 ? 'calls' : 'end')
  const body = objectOf(context.request.body)
  return { ...context, id, created: fixedTime, body, text, thinking, calls, stop, usage }
}

const callId = ({ provider, ids, request }: AnswerContext, name: string, next: (name: string) => string): string =>
  provider.callId?.(name, ids.count(`${provider.id} call`), request.model) ?? next(name)
