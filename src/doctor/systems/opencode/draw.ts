import { isRecord, type Message, type Part } from '../../../core/conversation.ts'
import { Draft, dropParts, front } from '../../../core/edit.ts'
import { valueAt } from '../../../core/invariant.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import type { Drawing, DrawnRecord } from '../../system.ts'
import type { SessionDiagnosis } from './diagnose.ts'
import { hasFailed } from './first-sent.ts'
import type { StoredMessage, StoredRecord } from './records.ts'
import { abortedError, asText, freshCallId, inputObject, openingMessage } from './rewrite.ts'

/** A session as messages: a part that is a call and its result is drawn as both. */
export function drawStoredSession(
  messages: readonly StoredMessage[],
  { repairs }: Pick<SessionDiagnosis, 'repairs'>,
): Drawing {
  const drawing = new SessionDrawing()
  for (const message of messages) drawing.read(message)
  return drawing.drawing(repairs)
}

/** Where a record is drawn: its message, that of its result, and the stored message that it belongs to. */
interface DrawnPlace {
  key: number
  result?: number
  readonly slot: number
  readonly owner: StoredMessage
}

class SessionDrawing {
  readonly #records: DrawnRecord[] = []
  readonly #messages: Message[] = []
  readonly #drawnPlaces = new Map<string, DrawnPlace>()
  /** The same by the message that they are drawn in. */
  readonly #drawnIn = new Map<number, DrawnPlace[]>()

  read(message: StoredMessage): void {
    const origin = this.#add(message)
    this.#drawnPlaces.set(message.id, { key: this.#messages.length, slot: origin, owner: message })
    const role = message.value?.role === 'assistant' ? 'assistant' : message.value?.role === 'user' ? 'user' : 'other'
    let step: StoredRecord[] = []
    for (const part of message.parts) {
      if (part.value?.type === 'step-start') {
        this.#close(message, role, origin, step)
        step = []
      }
      step.push(part)
    }
    this.#close(message, role, origin, step)
  }

  drawing(described: readonly Repair[]): Drawing {
    const draft = new Draft(this.#messages)
    const repairs = described.map(repair => {
      const from = draft.edits.length
      const drawnPlace = this.#drawnPlaces.get(repair.at)
      if (drawnPlace) this.#applyRepair(draft, repair, drawnPlace)
      return { ...repair, edits: draft.edits.slice(from) }
    })
    return { messages: this.#messages, repairs, remaining: [], records: this.#records }
  }

  #add({ id, text }: StoredRecord): number {
    return this.#records.push({ at: id, text }) - 1
  }

  #close(owner: StoredMessage, role: Message['role'], origin: number, step: readonly StoredRecord[]): void {
    const parts: Part[] = []
    const results: Part[] = []
    const [key, homes] = [this.#messages.length, new Map<StoredRecord, Omit<DrawnPlace, 'result' | 'key' | 'owner'>>()]
    for (const record of step) {
      const slot = this.#add(record)
      homes.set(record, { slot })
      // A failed message is not sent, and its calls do not wait.
      const drawn = hasFailed(owner) ? [{ kind: 'other' as const, raw: record.value }] : partsOf(record)
      for (const part of drawn) (part.kind === 'result' ? results : parts).push({ ...part, slot })
    }
    if (parts.length > 0) this.#messages.push({ key, origin, role, parts })
    for (const part of results)
      this.#messages.push({
        key: this.#messages.length,
        role: 'tool',
        parts: [part],
        ...(part.slot === undefined ? {} : { origin: part.slot }),
      })
    for (const [{ id }, { slot }] of homes) {
      const result = results.findIndex(part => part.slot === slot)
      const drawnPlace = { key, slot, owner, ...(result < 0 ? {} : { result: key + 1 + result }) }
      this.#drawnPlaces.set(id, drawnPlace)
      this.#drawnIn.set(key, [...(this.#drawnIn.get(key) ?? []), drawnPlace])
    }
  }

  #applyRepair(draft: Draft, { rule, class: kind }: Repair, drawnPlace: DrawnPlace): void {
    const { slot, owner, result } = drawnPlace
    const message = draft.get(drawnPlace.key)
    if (!message) return
    const index = message.parts.findIndex(part => part.slot === slot)
    const part = message.parts[index]
    if (rule === 'wrong-first-role') {
      const text = String(openingMessage(owner).part.text)
      draft.insert(draft.messages[0]?.key === drawnPlace.key ? front : draft.before(drawnPlace.key), {
        role: 'user',
        parts: [{ kind: 'text', text }],
      })
    } else if (rule === 'text-after-call') this.#begin(draft, message, index)
    else if (rule === 'unanswered-call' && part?.kind === 'call') {
      const answer: Part = {
        kind: 'result',
        id: part.id,
        content: abortedError,
        error: true,
        callKind: 'function',
        by: 'client',
      }
      if (!isRecord(part.input)) draft.rewrite(drawnPlace.key, index, { ...part, input: inputObject(part.input) })
      drawnPlace.result = draft.insert(this.#resultBefore(message, index), { role: 'tool', parts: [answer] })
    } else if (rule === 'malformed-arguments' && part?.kind === 'call')
      draft.rewrite(drawnPlace.key, index, { ...part, input: inputObject(part.input) })
    else if (rule === 'malformed-result' && result !== undefined) {
      const answer = draft.get(result)?.parts[0]
      if (answer?.kind === 'result') draft.rewrite(result, 0, { ...answer, content: asText(answer.content) })
    } else if (rule === 'duplicate-call-id' && kind === 'lossy' && part) {
      if (result !== undefined) draft.remove(result)
      dropParts(draft, drawnPlace.key, [part])
    } else if (rule === 'duplicate-call-id' && part?.kind === 'call') {
      const id = freshCallId(owner.id, valueAt(this.#records, slot).at)
      draft.rewrite(drawnPlace.key, index, { ...part, id })
      const answer = result === undefined ? undefined : draft.get(result)?.parts[0]
      if (result !== undefined && answer?.kind === 'result') draft.rewrite(result, 0, { ...answer, id })
    }
  }

  /** The result of the last call before a part, or the message itself: results are in the order of their calls. */
  #resultBefore({ key, parts }: Message, index: number): number {
    const answered = new Map(this.#drawnIn.get(key)?.map(({ slot, result }) => [slot, result]))
    const front = parts.slice(0, index).findLast(({ slot }) => answered.get(slot ?? -1) !== undefined)
    return answered.get(front?.slot ?? -1) ?? key
  }

  /** What follows the calls of a step begins another one, followed by the results of its own calls. */
  #begin(draft: Draft, { key, role, parts, origin }: Message, index: number): void {
    const [kept, moved] = [parts.slice(0, index), parts.slice(index)]
    const slots = new Set(moved.map(({ slot }) => slot))
    const drawnPlaces = this.#drawnIn.get(key) ?? []
    const [own, others] = [
      drawnPlaces.filter(({ slot }) => slots.has(slot)),
      drawnPlaces.filter(({ slot }) => !slots.has(slot)),
    ]
    const last = others.findLast(({ result }) => result !== undefined)?.result ?? key
    draft.update(key, message => ({ ...message, parts: kept }))
    const next = draft.insert(last, { role, parts: moved, ...(origin === undefined ? {} : { origin }) })
    this.#drawnIn.set(key, others).set(next, own)
    let place = next
    for (const drawnPlace of own) {
      drawnPlace.key = next
      if (drawnPlace.result === undefined) continue
      draft.move(drawnPlace.result, place)
      place = drawnPlace.result
    }
  }
}

/** The parts of a record: text, a call and its result, or something else. */
function partsOf({ value }: StoredRecord): Part[] {
  const { type, text, tool, callID, state } = value ?? {}
  if (type === 'text') return [{ kind: 'text', text: typeof text === 'string' ? text : '' }]
  if (type === 'reasoning') return [{ kind: 'reasoning', text: typeof text === 'string' ? text : '', signed: false }]
  if (type === 'file') return [{ kind: 'other', raw: value }]
  if (type !== 'tool') return []
  const id = typeof callID === 'string' ? callID : ''
  const common = { id, callKind: 'function', by: 'client' as const }
  const { status, input = {}, output, error } = isRecord(state) ? state : {}
  const call: Part = { kind: 'call', ...common, name: String(tool), input }
  if (status === 'completed' && output !== undefined && output !== null)
    return [call, { kind: 'result', ...common, content: output }]
  if (status === 'error' && error !== undefined && error !== null)
    return [call, { kind: 'result', ...common, content: error, error: true }]
  return [call]
}
