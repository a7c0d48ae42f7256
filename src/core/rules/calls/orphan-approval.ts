import { type CallPart, isRecord, type Message, type Part } from '../../conversation.ts'
import { dropParts } from '../../edit.ts'
import type { Result } from '../../pairing/pairs.ts'
import { defineRule, type Finding, type Page, type Scene } from '../rule.ts'

export const orphanApproval = defineRule({
  id: 'orphan-approval',
  appliesTo: (_, wire) => wire.approvals === true,
  check(scene, report) {
    const { messages } = scene
    const results = resultsOf(scene)
    for (let start = 0; start < messages.length; ) {
      let end = start + 1
      while (end < messages.length && !speaks(messages[end])) end++
      checkTurn(messages, start, end, results, report)
      start = end
    }
  },
})

export const page: Page = {
  summary: 'An approval answers no open request, or asks about a call that does not exist.',
  why: 'A message was removed or never stored, or a user message or a result came before the answer. The library that reads the history throws, or runs the call late or twice.',
  fix: 'The approval is removed: there is nothing left to approve.',
}

/** A user who goes on without an answer has passed the request over. */
const speaks = ({ role }: Message): boolean => role === 'user' || role === 'system'

/** The results of calls that were asked about. */
function resultsOf({ pairing }: Scene): Map<CallPart, Result> {
  const results = new Map<CallPart, Result>()
  for (const { part, answer } of pairing.calls) if (part.requests && answer) results.set(part, answer)
  return results
}

function checkTurn(
  messages: readonly Message[],
  start: number,
  end: number,
  results: ReadonlyMap<CallPart, Result>,
  report: (finding: Finding) => void,
): void {
  const askers = new Map<string, CallPart>()
  let unheard = findAskers(messages, start, end, askers)
  const asked = new Map<string, CallPart>()
  // A request that comes before the message of its call asks for nothing.
  const made = new Set<CallPart>()
  let run = start
  for (let position = start; position < end; position++) {
    const message = messages[position]
    if (message.role !== 'tool') run = position + 1
    const isLate = (call: CallPart): boolean => {
      const result = results.get(call)
      if (!result || result.position > position) return false
      const { origin } = result.message
      return result.position < run || (origin !== undefined && origin !== message.origin)
    }
    for (const part of message.parts) if (part.kind === 'call' && part.requests) made.add(part)
    const lost: Part[] = []
    let isSurplus = false
    for (const part of message.parts) {
      if (part.kind !== 'other' || !part.approval) continue
      const { id, kind } = part.approval
      const call = kind === 'answer' ? asked.get(id) : askers.get(id)
      // An id asks once: a second request of it would be answered together with the first.
      const isVain = (): boolean => kind === 'lost' || asked.has(id) || !made.has(call as CallPart)
      if (!call || (kind === 'answer' ? isLate(call) || isNobodys(call) : isVain())) lost.push(part)
      else asked.set(id, call)
      isSurplus ||= kind === 'request' && lost.at(-1) === part
    }
    if (lost.length === 0) continue
    report(dropping(message, lost, isSurplus ? unheard : []))
    if (isSurplus) unheard = []
  }
}

/** A provider's own call is not run here: only the provider can take an answer for it. */
const isNobodys = ({ by, approval }: CallPart): boolean => by === 'provider' && approval !== 'forwarded'

/** Calls of a message that have asked in vain, each with what is left of it. */
interface Unheard {
  readonly message: Message
  readonly calls: ReadonlyMap<Part, CallPart>
}

/**
 * Finds the call that asks with each id. Where turns have become one there can be several: then the first counts, as it
 * will when the turn is read again, and the others are given back.
 */
function findAskers(
  messages: readonly Message[],
  start: number,
  end: number,
  askers: Map<string, CallPart>,
): readonly Unheard[] {
  const unheard: Unheard[] = []
  for (let position = start; position < end; position++) {
    const message = messages[position]
    const calls = new Map<Part, CallPart>()
    for (const part of message.parts) {
      if (part.kind !== 'call' || !part.requests) continue
      const own = part.requests.filter(id => !askers.has(id))
      for (const id of own) askers.set(id, part)
      if (own.length < part.requests.length) calls.set(part, withRequests(part, own))
    }
    if (calls.size > 0) unheard.push({ message, calls })
  }
  return unheard
}

/** Nobody runs a call for the answer to a request that is gone. */
function withRequests({ requests: _, approval, ...call }: CallPart, requests: readonly string[]): CallPart {
  const now = approval === 'granted' ? 'requested' : approval
  return { ...call, ...(now ? { approval: now } : {}), ...(requests.length > 0 ? { requests } : {}) }
}

const dropping = (message: Message, lost: readonly Part[], unheard: readonly Unheard[]): Finding => ({
  message,
  part: lost[0],
  text:
    message.role === 'tool'
      ? 'an approval answers no open request'
      : 'an approval asks about a call that does not exist',
  fix: {
    title: 'drop it',
    class: lost.some(saysWhy) ? 'lossy' : 'lossless',
    apply: draft => {
      dropParts(draft, message.key, lost)
      for (const { message, calls } of unheard) {
        draft.update(message.key, now => ({ ...now, parts: now.parts.map(part => calls.get(part) ?? part) }))
      }
    },
  },
})

/** A person gave a reason, in their own words. */
const saysWhy = ({ raw }: Part): boolean => isRecord(raw) && typeof raw.reason === 'string' && raw.reason !== ''
