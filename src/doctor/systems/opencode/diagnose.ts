import { isRecord } from '../../../core/conversation.ts'
import type { DialectId } from '../../../core/dialects/index.ts'
import type { Diagnostic } from '../../../core/rules/check.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import type { CallCounts } from '../../../heal/count.ts'
import { quote } from '../../quote.ts'
import type { BrokenSince } from '../../since.ts'
import type { DroppedRecord } from '../../system.ts'
import { firstSentByAssistant, hasFailed } from './first-sent.ts'
import { messageProvider } from './provider.ts'
import { idBefore, idBetween, type StoredMessage, type StoredRecord } from './records.ts'
import { freshCallId, settledText, soundText, withCallId } from './rewrite.ts'

/** A change of the parts of a message. */
export type PartChange =
  | { readonly kind: 'write'; readonly message: string; readonly part: string; readonly text: string }
  | { readonly kind: 'remove'; readonly message: string; readonly part: string }
  /** A new part that begins a step, before another part. */
  | { readonly kind: 'begin'; readonly message: string; readonly part: string; readonly next: string }
  /** A new user message before the first message. `part` is its only part. */
  | { readonly kind: 'open'; readonly message: string; readonly part: string; readonly next: StoredMessage }

export interface SessionDiagnosis {
  readonly counts: CallCounts
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
  readonly dropped: readonly DroppedRecord[]
  readonly changes: readonly PartChange[]
  readonly since?: BrokenSince
}

/**
 * What is wrong with a session. A call and its result are one part, so neither can lose the other; but a part can be
 * left unfinished, two can share an id, and the part between two steps (`step-start`) can be missing.
 */
export function diagnoseSession(messages: readonly StoredMessage[]): SessionDiagnosis {
  const reader = new SessionReader()
  for (const message of messages) reader.read(message)
  const [start] = messages
  const first = firstSentByAssistant(messages)
  if (first && start) reader.open(first, start)
  return reader.end()
}

class SessionReader {
  readonly #counts = { calls: 0, results: 0, orphans: 0, unanswered: 0 }
  readonly #repairs: Repair[] = []
  readonly #remaining: Diagnostic[] = []
  readonly #dropped: DroppedRecord[] = []
  readonly #changes: PartChange[] = []
  #since: BrokenSince | undefined
  #turn = 0
  #provider: DialectId = 'openai'

  read(message: StoredMessage): void {
    if (message.value?.role === 'user') this.#turn++
    this.#provider = messageProvider(message)
    if (!message.value) this.#reportUnreadable(message)
    for (const part of message.parts) if (!part.value) this.#removeTorn(message, part)
    if (message.value?.role === 'assistant' && !hasFailed(message)) this.#readSteps(message)
  }

  /** The assistant comes first: the user message was lost. */
  open(speaker: StoredMessage, first: StoredMessage): void {
    const rule = 'wrong-first-role'
    this.#provider = messageProvider(speaker)
    this.#repair(
      speaker,
      rule,
      'synthetic',
      'the assistant comes first: the message that it answered was lost',
      'insert a user message that says so',
    )
    const part = idBefore(first.parts[0]?.id ?? 'prt_1')
    this.#changes.push({ kind: 'open', message: idBefore(first.id), part, next: speaker })
  }

  end(): SessionDiagnosis {
    const since = this.#since && { since: this.#since }
    const [counts, repairs, remaining] = [this.#counts, this.#repairs, this.#remaining]
    return { counts, repairs, remaining, dropped: this.#dropped, changes: this.#changes, ...since }
  }

  #readSteps(message: StoredMessage): void {
    const ids = new Map<string, string>()
    let before: StoredRecord | undefined
    let hasCalled = false
    for (const part of message.parts) {
      const type = part.value?.type
      if (type === undefined) continue
      if (type === 'step-start') hasCalled = false
      if (hasCalled && before && (type === 'text' || type === 'reasoning')) {
        this.#begin(message, before, part)
        hasCalled = false
      }
      if (type === 'tool' && this.#readCall(message, part, ids)) hasCalled = true
      before = part
    }
  }

  /** Whether the call stays. */
  #readCall(message: StoredMessage, part: StoredRecord, ids: Map<string, string>): boolean {
    const { callID, state } = part.value ?? {}
    this.#counts.calls++
    const id = typeof callID === 'string' ? callID : ''
    const same = ids.get(id)
    if (same !== undefined && same === JSON.stringify([part.value?.tool, state])) {
      this.#repeat(message, part, id)
      return false
    }
    let { text } = part
    if (same !== undefined || id === '') {
      const fresh = freshCallId(message.id, part.id)
      text = withCallId(text, fresh)
      this.#repair(
        part,
        'duplicate-call-id',
        'lossless',
        `call id "${id}" is used more than once in this message`,
        `rename it to ${fresh}`,
        id,
      )
      ids.set(fresh, '')
    } else ids.set(id, JSON.stringify([part.value?.tool, state]))
    if (hasEnded(state)) {
      this.#counts.results++
      if (!isRecord(state.input))
        this.#repair(
          part,
          'malformed-arguments',
          'lossless',
          `the input of ${String(part.value?.tool)} is not an object`,
          'wrap it in an object',
          id,
        )
      if (typeof outcomeOf(state) !== 'string')
        this.#repair(
          part,
          'malformed-result',
          'lossless',
          `the result of ${String(part.value?.tool)} is not text`,
          'write it as text',
          id,
        )
      if (!isRecord(state.input) || typeof outcomeOf(state) !== 'string') text = soundText(text)
    } else {
      this.#counts.unanswered++
      text = settledText(text, message)
      const status = isRecord(state) ? String(state.status) : 'missing'
      this.#repair(
        part,
        'unanswered-call',
        'synthetic',
        `the call of ${String(part.value?.tool)} is still marked as ${status}, and no program is working on it`,
        'mark it as aborted, as the program does',
        id,
      )
    }
    if (text !== part.text) this.#changes.push({ kind: 'write', message: message.id, part: part.id, text })
    return true
  }

  #begin(message: StoredMessage, before: StoredRecord, next: StoredRecord): void {
    this.#repair(
      next,
      'text-after-call',
      'lossless',
      'a new step begins here without a step-start part, so its text would follow the calls of the previous step',
      'add a step-start part',
    )
    const part = idBetween(before.id, next.id)
    this.#changes.push({ kind: 'begin', message: message.id, part, next: next.id })
  }

  #repeat(message: StoredMessage, part: StoredRecord, id: string): void {
    this.#counts.results++
    this.#repair(part, 'duplicate-call-id', 'lossy', `call ${id} is written twice`, 'keep the first one', id)
    this.#dropped.push({ at: part.id, rule: 'duplicate-call-id', content: part.text })
    this.#changes.push({ kind: 'remove', message: message.id, part: part.id })
  }

  #removeTorn(message: StoredMessage, part: StoredRecord): void {
    this.#repair(
      part,
      'torn-record',
      'lossy',
      'it is not JSON, so the program fails when it loads the session',
      'remove it',
    )
    this.#dropped.push({ at: part.id, rule: 'torn-record', content: part.text })
    this.#changes.push({ kind: 'remove', message: message.id, part: part.id })
  }

  #reportUnreadable({ id }: StoredMessage): void {
    this.#remaining.push({
      rule: 'unreadable-message',
      severity: 'error',
      at: id,
      message: 'it is not JSON, so the program fails when it loads the session',
      help: 'it stays as it is, because its parts would be lost with it',
    })
    this.#since ??= { turn: Math.max(this.#turn, 1), at: id }
  }

  #repair(
    part: StoredRecord,
    rule: string,
    kind: Repair['class'],
    message: string,
    help: string,
    callId?: string,
  ): void {
    const id = callId ? { callId } : {}
    const repair: Repair = {
      rule,
      severity: 'error',
      at: part.id,
      ...id,
      message,
      help: `${help} (${kind})`,
      class: kind,
      edits: [],
    }
    this.#repairs.push(quote(repair, this.#provider))
    this.#since ??= { turn: Math.max(this.#turn, 1), at: part.id }
  }
}

/** Whether the state of a call contains its outcome, perhaps in a form that the program cannot send. */
const hasEnded = (state: unknown): state is Record<string, unknown> =>
  isRecord(state) && outcomeOf(state) !== undefined && outcomeOf(state) !== null

const outcomeOf = ({ status, output, error }: Record<string, unknown>): unknown =>
  status === 'completed' ? output : status === 'error' ? error : undefined
