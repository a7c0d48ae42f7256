import {
  asRecord,
  type Conversation,
  isRecord,
  type Message,
  madeUpCall,
  type Part,
  type ResultPart,
} from '../../core/conversation.ts'
import { withoutItemId } from '../shared/ai-sdk-packages.ts'
import { overlay, unlessEqual } from '../shared/overlay.ts'
import { isSteering, isStepStart } from './decode.ts'
import { aiSdkUiFormat } from './format.ts'
import { FreshIds } from './fresh-ids.ts'
import { gather, isSteeringInput, isUntouched, type Unit } from './gather.ts'
import { isInvocation, isNextStep } from './invocation.ts'
import { writeCall } from './tool-part.ts'

/** Writes steps of the same message together, unchanged if nothing in it was changed. */
export function encode(messages: readonly Message[], decoded: Conversation, history: readonly unknown[]): unknown[] {
  const ids = new FreshIds(history)
  let place = decoded.messages[0]?.origin ?? 0
  return gather(messages, decoded, history).map(unit => {
    if (unit.source !== undefined) place = unit.source + 1
    const before = unit.keepsFields ? history[unit.source as number] : undefined
    if (unit.role === 'other' || isUntouched(unit, decoded)) return before
    return unlessEqual(
      before,
      writeUnit(unit, history, () => ids.at(place)),
    )
  })
}

type Raw = Record<string, unknown>

function writeUnit(unit: Unit, history: readonly unknown[], freshId: () => string): Raw {
  const own = unit.keepsFields ? asRecord(history[unit.source as number]) : {}
  let fields = own
  for (const step of unit.steps) {
    for (const from of step.merged ?? []) {
      if (!isSteeringInput(step, history[from])) fields = { ...asRecord(history[from]), ...fields }
    }
  }
  const id = unit.keepsFields || 'id' in fields ? {} : { id: freshId() }
  const read = unit.source === undefined ? [] : partsOf(history[unit.source])
  return { ...id, ...fields, role: unit.role, parts: writeParts(unit, unit.keepsFields ? read : [], read) }
}

function partsOf(message: unknown): readonly unknown[] {
  const { parts } = asRecord(message)
  return Array.isArray(parts) ? parts : []
}

/** `before` is the content of the message that it replaces, `read` what its steps were read from. */
function writeParts(unit: Unit, before: readonly unknown[], read: readonly unknown[]): unknown[] {
  const written: unknown[] = []
  const isSpoken = unit.role !== 'assistant'
  let last: Message | undefined
  for (const step of unit.steps) {
    if (step.parts.length === 0) continue
    const marks = isSpoken ? [] : last ? between(last, step, before) : atFront(step, before)
    for (const mark of marks) written.push(mark)
    if (step.role === 'user' && !isSpoken) written.push(writeSteering(step, read))
    else writeStep(step, unit.results, written)
    last = step
  }
  if (isSpoken) return written
  return written.length === 0 ? [...leading(before)] : [...written, ...trailing(before)]
}

/** The step marks before everything else: they are not content, and are written back unchanged. */
function leading(before: readonly unknown[]): readonly unknown[] {
  const end = before.findIndex(part => !isStepStart(part))
  return end < 0 ? before : before.slice(0, end)
}

function trailing(before: readonly unknown[]): readonly unknown[] {
  const last = before.findLastIndex(part => !isStepStart(part))
  return last < 0 ? [] : before.slice(last + 1)
}

/** The marks of the message itself, or of its first step that is left. */
function atFront(step: Message, before: readonly unknown[]): readonly unknown[] {
  const marks = leading(before)
  return marks.length > 0 ? marks : marksOf(step, before)
}

/** The marks of a step after the first, or a new one where nothing else shows that it starts. */
function between(last: Message, step: Message, before: readonly unknown[]): readonly unknown[] {
  const marks = marksOf(step, before)
  return marks.length > 0 || isTold(last, step) ? marks : [{ type: 'step-start' }]
}

/** A steering message of the user ends a step, and in version 4 calls do. */
function isTold(last: Message, { role, parts: [first] }: Message): boolean {
  const raw = first?.raw
  if (last.role === 'user' || role === 'user' || isSteering(raw)) return true
  const invocation = last.parts.map(part => part.raw).findLast(isInvocation)
  return invocation !== undefined && isNextStep(invocation, raw)
}

function marksOf({ parts: [first] }: Message, before: readonly unknown[]): readonly unknown[] {
  const end = first?.slot ?? 0
  let start = end
  while (start > 0 && isStepStart(before[start - 1])) start--
  return before.slice(start, end)
}

/** A steering message of the user, in the part that it was read from. */
function writeSteering({ parts }: Message, read: readonly unknown[]): unknown {
  const raw = parts.map(({ slot = -1 }) => read[slot]).find(isSteering)
  return unlessEqual(raw, { type: 'steering-message', ...raw, parts: parts.map(part => writeContent(part as Content)) })
}

/** A result in the same message as its call is already in the part of the call. */
function writeStep({ parts }: Message, results: ReadonlyMap<Part, ResultPart>, written: unknown[]): void {
  const inside = new Map<string, ResultPart>()
  for (const part of parts) if (part.kind === 'result') inside.set(slotKey(part), part)
  for (const part of parts) {
    if (part.kind === 'result') continue
    if (part.kind !== 'call') {
      written.push(writeContent(part))
      continue
    }
    const own = inside.get(slotKey(part))
    inside.delete(slotKey(part))
    written.push(writeCall(part, own ?? results.get(part), own !== undefined))
  }
  for (const part of inside.values())
    written.push(part.raw ?? writeCall(madeUpCall(aiSdkUiFormat, part, part.id), part))
}

const slotKey = ({ by, slot, id }: Extract<Part, { id: string }>): string => `${by} ${slot ?? `of ${id}`}`

type Content = Exclude<Part, { id: string }>

function writeContent(part: Content): unknown {
  switch (part.kind) {
    case 'text':
      if (!isRecord(part.raw)) return { type: 'text', text: part.text }
      return overlay(
        part.raw,
        part.raw.text === part.text ? {} : { text: part.text },
        withoutItemId(part, 'providerMetadata'),
      )
    case 'reasoning':
      if (!isRecord(part.raw)) return { type: 'reasoning', text: part.text }
      return overlay(part.raw, withoutItemId(part, 'providerMetadata'))
    case 'other':
      return part.raw
  }
}
