import { isObject, type JsonObject, jsonText, objectOf, parse } from '../json.ts'
import type { Provider, StrictRequest } from '../provider.ts'
import { now } from '../server/clock.ts'
import type { State } from '../server/state.ts'
import { tokens } from './count.ts'
import type { Ids } from './ids.ts'
import type { Said, Stop } from './script.ts'

/** A reply with everything that a grammar needs to write it. */
export interface Answer {
  id: string
  /** Seconds since 1970. */
  created: number
  request: StrictRequest
  body: JsonObject
  provider: Provider
  text: string
  thinking: string
  calls: AnswerCall[]
  stop: Stop
  usage: { input: number; output: number; thinking: number }
  ids: Ids
  state: State
  fails: boolean
}

export interface AnswerCall {
  id: string
  name: string
  /** The arguments as text, which may be broken. */
  text: string
  /** The arguments as an object, empty if the text is none. */
  input: JsonObject
}

export interface Desk {
  request: StrictRequest
  provider: Provider
  ids: Ids
  state: State
  /** The answer breaks off on its way, and so nothing of it is kept. */
  fails: boolean
}

/** Fills in what the reply leaves open. */
export function compose(reply: Said, desk: Desk, id: string, nextCallId: (name: string) => string): Answer {
  const { text = '', thinking = '' } = reply
  const calls = (reply.calls ?? []).map(({ name, input = {}, id }): AnswerCall => {
    const written = jsonText(input)
    const parsed = isObject(input) ? input : parse(written)
    return { id: id ?? callId(desk, name, nextCallId), name, text: written, input: objectOf(parsed) }
  })
  const usage = {
    input: reply.usage?.input ?? tokens(jsonText(desk.request.body)),
    output: reply.usage?.output ?? tokens(text + thinking + calls.map(call => call.name + call.text).join('')),
    thinking: tokens(thinking),
  }
  const stop = reply.stop ?? (calls.length > 0 ? 'calls' : 'end')
  const body = objectOf(desk.request.body)
  return { ...desk, id, created: now, body, text, thinking, calls, stop, usage }
}

const callId = ({ provider, ids, request }: Desk, name: string, next: (name: string) => string): string =>
  provider.callId?.(name, ids.count(`${provider.id} call`), request.model) ?? next(name)
