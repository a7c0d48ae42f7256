import type { Random } from '../../../laws/random.ts'
import type { Fields } from './generate-snapshot.ts'

/** A corruption of the messages of a snapshot, as its writers make it; false if there is nothing to break. */
type Corruption = (messages: Fields[], random: Random) => boolean

/** Breaks a list of messages in place, once to four times. */
export function corruptMessages(messages: Fields[], random: Random): string[] {
  const done: string[] = []
  const wanted = random.range(1, 4)
  for (let round = 0; done.length < wanted && round < 40; round++) {
    const name = random.pick(Object.keys(corruptions))
    if (corruptions[name](messages, random)) done.push(name)
  }
  return done
}

const corruptions: Record<string, Corruption> = {
  'a result is lost': (messages, random) => takeOut(messages, pickResult(messages, random)) !== undefined,
  'a result comes late': (messages, random) => {
    const at = pickResult(messages, random)
    const result = takeOut(messages, at)
    if (!result) return false
    messages.splice(random.range(at, messages.length), 0, result)
    return true
  },
  'a result stands twice': (messages, random) => {
    const at = pickResult(messages, random)
    if (at < 0) return false
    messages.splice(random.range(at + 1, messages.length), 0, structuredClone(messages[at]))
    return true
  },
  'a result stands before its call': (messages, random) => {
    const at = pickResult(messages, random)
    const call = messages.findIndex(message => callsIn(message).some(({ id }) => id === answeredBy(messages[at])))
    const result = call < 0 ? undefined : takeOut(messages, at)
    if (!result) return false
    messages.splice(call, 0, result)
    return true
  },
  'a call is lost': (messages, random) => takeOut(messages, pick(messages, random, isStep)) !== undefined,
  'the end is lost': (messages, random) => {
    const at = pick(messages, random, message => isStep(message) || message.role === 'tool')
    if (at < 1) return false
    messages.splice(at + 1)
    return true
  },
  'text is split off in front of results': (messages, random) => {
    const at = pick(messages, random, isStep)
    if (at < 0) return false
    messages.splice(at + 1, 0, { id: random.id('m-'), role: 'assistant', content: random.sentence() })
    return true
  },
  'the user speaks in front of results': (messages, random) => {
    const at = pick(messages, random, isStep)
    if (at < 0) return false
    messages.splice(at + 1, 0, { id: random.id('m-'), role: 'user', content: random.sentence() })
    return true
  },
  'an approval is left where a result belongs': (messages, random) => {
    const at = pickResult(messages, random)
    if (at < 0) return false
    messages[at] = { ...messages[at], content: random.pick(['{"accepted": true}', '{"accepted": false}']) }
    return true
  },
  'an approval is left as words of the user': (messages, random) => {
    const at = pickResult(messages, random)
    const result = takeOut(messages, at)
    if (!result) return false
    const approval = {
      id: answeredBy(result),
      call_id: answeredBy(result),
      approved: random.chance(0.7),
      arguments: {},
    }
    messages.splice(at, 0, { id: result.id, role: 'user', content: '', function_approvals: [approval] })
    return true
  },
}

const isStep = (message: Fields): boolean => callsIn(message).length > 0

const callsIn = ({ tool_calls, toolCalls }: Fields): Fields[] => (tool_calls ?? toolCalls ?? []) as Fields[]

const answeredBy = (message: Fields | undefined): unknown => message?.tool_call_id ?? message?.toolCallId

const pickResult = (messages: readonly Fields[], random: Random): number =>
  pick(messages, random, ({ role }) => role === 'tool')

function pick(messages: readonly Fields[], random: Random, fits: (message: Fields) => boolean): number {
  const found = [...messages.keys()].filter(index => fits(messages[index]))
  return found.length === 0 ? -1 : random.pick(found)
}

const takeOut = (messages: Fields[], at: number): Fields | undefined => (at < 0 ? undefined : messages.splice(at, 1)[0])
