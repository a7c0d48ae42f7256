import type { Random } from '../../../laws/random.ts'
import type { Fields, Message } from './generate.ts'

/** A corruption of a chat, as aborted streams and careless saving make it; false if there is nothing to break. */
type Corruption = (messages: Message[], random: Random) => boolean

/** Breaks a chat in place, once to four times. */
export function corruptChat(messages: Message[], random: Random): string[] {
  const done: string[] = []
  const wanted = random.range(1, 4)
  for (let round = 0; done.length < wanted && round < 40; round++) {
    const name = random.pick(Object.keys(corruptions))
    if (corruptions[name](messages, random)) done.push(name)
  }
  return done
}

const corruptions: Record<string, Corruption> = {
  'an output is lost': (messages, random) => {
    const part = pickCall(messages, random)
    if (!part) return false
    reopen(part, 'input-available')
    return true
  },
  'the state is lost with the output': (messages, random) => {
    const part = pickCall(messages, random)
    if (!part) return false
    reopen(part, undefined)
    return true
  },
  'an approval was asked for and forgotten': (messages, random) => {
    const part = pickCall(messages, random)
    if (!part) return false
    reopen(part, 'approval-requested')
    part.approval = { id: random.id('ap') }
    return true
  },
  'an approval was given and its call never ran': (messages, random) => {
    const part = pickCall(messages, random)
    if (!part) return false
    reopen(part, 'approval-responded')
    part.approval = { id: random.id('ap'), approved: random.chance(0.7) }
    return true
  },
  'the arguments are cut': (messages, random) => {
    const part = pickCall(messages, random)
    if (!part) return false
    reopen(part, 'input-streaming')
    return true
  },
  'the end is lost and the user goes on': (messages, random) => {
    const at = random.int(messages.length)
    const last = messages[at]
    if (last.role !== 'assistant' || last.parts.length < 2) return false
    last.parts.splice(random.range(1, last.parts.length - 1))
    const open = last.parts.at(-1)
    if (open && isCall(open)) reopen(open, 'input-available')
    return true
  },
  'a message is saved twice, before its calls ran and after': (messages, random) => {
    const at = messages.findIndex(({ parts }) => parts.some(isCall))
    if (at < 0) return false
    const early = structuredClone(messages[at])
    early.id = random.chance(0.5) ? early.id : random.id('msg-')
    early.parts = early.parts.slice(0, early.parts.findLastIndex(isCall) + 1)
    for (const part of early.parts) if (isCall(part)) reopen(part, 'input-available')
    messages.splice(at, 0, early)
    return true
  },
  'a part stands twice': (messages, random) => {
    const part = pickCall(messages, random)
    const home = messages.find(({ parts }) => part && parts.includes(part))
    if (!part || !home) return false
    home.parts.splice(home.parts.indexOf(part) + 1, 0, structuredClone(part))
    return true
  },
}

function reopen(part: Fields, state: string | undefined): void {
  for (const key of ['output', 'errorText', 'approval', 'state']) delete part[key]
  if (state !== undefined) part.state = state
}

const isCall = ({ type }: Fields): boolean => type === 'dynamic-tool' || String(type).startsWith('tool-')

function pickCall(messages: readonly Message[], random: Random): Fields | undefined {
  const calls = messages.flatMap(({ parts }) => parts.filter(isCall))
  return calls.length === 0 ? undefined : random.pick(calls)
}
