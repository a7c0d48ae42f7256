import { type CallPart, isRecord, type Message, type OtherPart, type Part } from '../../conversation.ts'
import { dropParts } from '../../edit.ts'
import type { PairedResult } from '../../pairing/paired-calls.ts'
import { type Defect, defineRule, type Page, type RuleContext } from '../rule.ts'

export const orphanApproval = defineRule({
  id: 'orphan-approval',
  appliesTo: (_, format) => format.approvals === true,
  check(context, report) {
    const { messages } = context
    const results = resultsOf(context)
    for (let start = 0; start < messages.length; ) {
      let end = start + 1
      for (let next = messages[end]; next && !endsTurn(next); next = messages[end]) end++
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

/** A user message without an answer rejects the request implicitly. */
const endsTurn = ({ role }: Message): boolean => role === 'user' || role === 'system'

/** The results of calls that have approval requests. */
function resultsOf({ pairing }: RuleContext): Map<CallPart, PairedResult> {
  const results = new Map<CallPart, PairedResult>()
  for (const { part, answer } of pairing.calls) if (part.requests && answer) results.set(part, answer)
  return results
}

function checkTurn(
  messages: readonly Message[],
  start: number,
  end: number,
  results: ReadonlyMap<CallPart, PairedResult>,
  report: (defect: Defect) => void,
): void {
  const askers = new Map<string, CallPart>()
  let unanswerable = findAskers(messages, start, end, askers)
  const asked = new Map<string, CallPart>()
  // A request before the message of its call asks for nothing.
  const made = new Set<CallPart>()
  let run = start
  for (const [offset, message] of messages.slice(start, end).entries()) {
    const position = start + offset
    if (message.role !== 'tool') run = position + 1
    const isLate = (call: CallPart): boolean => {
      const result = results.get(call)
      return (
        result !== undefined && result.position <= position && (result.position < run || !isBeside(result, message))
      )
    }
    for (const part of message.parts) if (part.kind === 'call' && part.requests) made.add(part)
    const lost = message.parts.filter((part): part is OtherPart => {
      if (part.kind !== 'other' || !part.approval) return false
      const { id, kind } = part.approval
      const call = kind === 'answer' ? asked.get(id) : askers.get(id)
      const isOpen = (asker: CallPart): boolean => {
        if (kind === 'answer') return !isLate(asker) && !isUnusable(asker)
        // A request id counts once: a second request with it would be answered together with the first.
        return kind === 'request' && !asked.has(id) && made.has(asker)
      }
      if (!call || !isOpen(call)) return true
      asked.set(id, call)
      return false
    })
    const [part] = lost
    if (!part) continue
    const isSurplus = lost.some(({ approval }) => approval?.kind === 'request')
    report(dropping(message, part, lost, isSurplus ? unanswerable : []))
    if (isSurplus) unanswerable = []
  }
}

/** Whether a result is in the stored message that a message was read from. */
const isBeside = ({ message: { origin } }: PairedResult, message: Message): boolean =>
  origin === undefined || origin === message.origin

/** A provider-run call does not run here: only the provider can use an answer for it. */
const isUnusable = ({ by, approval }: CallPart): boolean => by === 'provider' && approval !== 'forwarded'

/** Calls of a message with unanswerable requests, each with what remains of it. */
interface Unanswerable {
  readonly message: Message
  readonly calls: ReadonlyMap<Part, CallPart>
}

/**
 * Finds the call that each request id belongs to. Where turns were merged, several calls can have the same request id:
 * the first counts, as it will when the turn is decoded again; the others are returned.
 */
function findAskers(
  messages: readonly Message[],
  start: number,
  end: number,
  askers: Map<string, CallPart>,
): readonly Unanswerable[] {
  const unanswerable: Unanswerable[] = []
  for (let position = start; position < end; position++) {
    const message = messages[position]
    if (!message) break
    const calls = new Map<Part, CallPart>()
    for (const part of message.parts) {
      if (part.kind !== 'call' || !part.requests) continue
      const own = part.requests.filter(id => !askers.has(id))
      for (const id of own) askers.set(id, part)
      if (own.length < part.requests.length) calls.set(part, withRequests(part, own))
    }
    if (calls.size > 0) unanswerable.push({ message, calls })
  }
  return unanswerable
}

/** Without its request, an approval must not run the call. */
function withRequests({ requests: _, approval, ...call }: CallPart, requests: readonly string[]): CallPart {
  const now = approval === 'granted' ? 'requested' : approval
  return { ...call, ...(now ? { approval: now } : {}), ...(requests.length > 0 ? { requests } : {}) }
}

const dropping = (
  message: Message,
  part: Part,
  lost: readonly Part[],
  unanswerable: readonly Unanswerable[],
): Defect => ({
  message,
  part,
  text:
    message.role === 'tool'
      ? 'an approval answers no open request'
      : 'an approval asks about a call that does not exist',
  fix: {
    title: 'drop it',
    class: lost.some(hasReason) ? 'lossy' : 'lossless',
    apply: draft => {
      dropParts(draft, message.key, lost)
      for (const { message, calls } of unanswerable) {
        draft.update(message.key, now => ({ ...now, parts: now.parts.map(part => calls.get(part) ?? part) }))
      }
    },
  },
})

/** The approval has a reason that a person wrote. */
const hasReason = ({ raw }: Part): boolean => isRecord(raw) && typeof raw.reason === 'string' && raw.reason !== ''
