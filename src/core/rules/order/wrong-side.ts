import {
  type CallPart,
  type Format,
  type Message,
  madeUpCall,
  type Part,
  type ResultPart,
  type Role,
} from '../../conversation.ts'
import { type Draft, dropParts } from '../../edit.ts'
import { callLabel, defineRule, type Page } from '../rule.ts'

export const wrongSide = defineRule({
  id: 'wrong-side',
  check(context, report) {
    const { pairing } = context
    let answered: ReadonlySet<Part> | undefined
    const isAnswered = (part: Part): boolean => {
      answered ??= new Set(pairing.results.filter(result => result.call).map(result => result.part))
      return answered.has(part)
    }
    let misfiled: ReadonlySet<string> | undefined
    const isMisfiled = (id: string): boolean => {
      misfiled ??= misfiledCalls(context.messages)
      return misfiled.has(id)
    }
    const isAlone = ({ role }: Message, part: ResultPart): boolean =>
      role === 'assistant' && !isAnswered(part) && !isMisfiled(part.id) && !context.continues
    let holders: Map<string, Message> | undefined
    for (const message of context.messages) {
      const { role } = message
      for (const part of message.parts)
        if (part.kind === 'call' && part.by === 'provider') {
          holders ??= new Map()
          holders.set(part.id, message)
        }
      const [part] = message.parts
      const holder = part?.kind === 'result' && part.by === 'provider' ? holders?.get(part.id) : undefined
      if (role === 'tool' && part?.kind === 'result' && holder && context.facts.hostedResults === 'inside') {
        report({
          message,
          part,
          callId: part.id,
          text: 'the result of a call that the provider ran is in a tool message',
          fix: {
            title: 'put it after its call',
            class: 'lossless',
            apply: draft => putInside(draft, holder.key, message.key, part),
          },
        })
      }
      if (role === 'tool' || role === 'other') continue
      const stray = message.parts.find((part): part is CallPart | ResultPart => sideOf(part, role) !== role)
      if (!stray) continue
      const alone = new Set<Part>(message.parts.filter(part => isClientResult(part) && isAlone(message, part)))
      const where = `${role === 'assistant' ? 'an' : 'a'} ${role} message`
      report({
        message,
        part: stray,
        callId: stray.id,
        text: stray.kind === 'call' ? `a call is in ${where}` : `the result of ${callLabel(stray.id)} is in ${where}`,
        fix: {
          title: titleOf(stray, alone),
          class: alone.size > 0 ? 'synthetic' : 'lossless',
          apply: draft => divide(draft, context.format, message.key, alone),
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A call is in a user or system message, or a result is in the message of another role.',
  why: 'Only the assistant calls and only the client answers; anything else is rejected.',
  fix: 'The call moves to a separate assistant message, followed by the result. A missing call is made up from what the result says. The result of a call that the provider ran moves to its call.',
}

/** The ids of calls that are in the message of another role than the assistant. */
function misfiledCalls(messages: readonly Message[]): Set<string> {
  const ids = new Set<string>()
  for (const { role, parts } of messages) {
    if (role === 'assistant') continue
    for (const part of parts) if (part.kind === 'call' && part.by === 'client' && part.id !== '') ids.add(part.id)
  }
  return ids
}

function titleOf({ kind }: CallPart | ResultPart, alone: ReadonlySet<Part>): string {
  if (alone.size > 0) return 'make it a result after a call made up for it'
  return kind === 'call' ? 'put it into an assistant message' : 'make it a result'
}

/** The role of the message that a part belongs in. Results in user messages are recognised when the history is decoded. */
function sideOf(part: Part, role: Role): Role {
  if (part.kind === 'call' && part.by === 'client') return 'assistant'
  return isClientResult(part) && role !== 'user' ? 'tool' : role
}

const isClientResult = (part: Part): part is ResultPart => part.kind === 'result' && part.by === 'client'

/** Moves the result of a call that the provider ran from its own message to its place after the call. */
function putInside(draft: Draft, holder: number, key: number, { slot: _, ...result }: ResultPart): void {
  draft.remove(key)
  draft.update(holder, now => {
    const call = now.parts.findLastIndex(
      part => part.kind === 'call' && part.by === 'provider' && part.id === result.id,
    )
    return { ...now, parts: [...now.parts.slice(0, call + 1), result, ...now.parts.slice(call + 1)] }
  })
}

/**
 * Parts before the first misplaced part stay; after it follow runs of calls and of parts that keep their role, and
 * results one by one.
 */
function divide(draft: Draft, format: Format, key: number, alone: ReadonlySet<Part>): void {
  const { role, parts } = draft.get(key) as Message
  const rest = parts.slice(parts.findIndex(part => sideOf(part, role) !== role))
  let place = key
  let side = role
  let run: Part[] = []
  const flush = (): void => {
    if (run.length > 0) place = draft.insert(place, { role: side, parts: run })
    run = []
  }
  for (const part of aloneLast(rest, alone)) {
    const own = sideOf(part, role)
    if (own !== side || own === 'tool') flush()
    side = own
    if (part.kind === 'result' && alone.has(part))
      place = draft.insert(place, { role: 'assistant', parts: [madeUpCall(format, part, part.id)] })
    const { slot: _, ...bare } = part
    run.push(own === 'tool' ? bare : part)
  }
  flush()
  dropParts(draft, key, rest)
}

/** The results of one run, those with an existing call first: a made-up call would separate the others from it. */
function aloneLast(parts: readonly Part[], alone: ReadonlySet<Part>): Part[] {
  const ordered: Part[] = []
  let waiting: Part[] = []
  for (const part of parts) {
    if (alone.has(part)) waiting.push(part)
    else {
      if (!isClientResult(part)) {
        for (const alone of waiting) ordered.push(alone)
        waiting = []
      }
      ordered.push(part)
    }
  }
  return [...ordered, ...waiting]
}
