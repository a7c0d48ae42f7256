import type { Codec } from '../codecs/codec.ts'
import type { CodecId } from '../codecs/index.ts'
import type { Format } from '../core/conversation.ts'
import type { Facts } from '../core/dialect.ts'
import { RuleContext } from '../core/rules/rule.ts'
import { countCalls } from '../heal/count.ts'
import { type HealOptions, planFor } from '../heal/options.ts'
import { repairWhole } from '../heal/segments/repair-segments.ts'
import { drawMessages } from './drawing.ts'
import { stateOf } from './examine-entries.ts'
import type { Waiting } from './judge.ts'
import { brokenSince } from './since.ts'
import type { Drawing, DrawnRecord, Examination } from './system.ts'

/** An examined list, and its repaired messages: unchanged ones are the same objects. */
export interface ExaminedList extends Omit<Examination, 'notes' | 'storeRepair'> {
  readonly messages: readonly unknown[]
  readonly draw: () => Drawing
}

export interface ListOptions extends HealOptions {
  readonly format: CodecId
  /** What its program requires in addition to the dialect. */
  readonly facts?: Partial<Facts>
  /** Assistant text between calls and their results stays a message of its own. */
  readonly keepsText?: true
  /** Each message is one step as it was made: calls of adjacent messages are not merged. */
  readonly marksSteps?: true
  /** The index of each message in its store, if the store has others that are not sent. */
  readonly places?: readonly number[]
}

/** Examines a conversation whose records are the messages of a codec. */
export function examineList(
  history: readonly unknown[],
  { facts, keepsText, marksSteps, places, ...options }: ListOptions,
  { pendingCalls = [], tail = false }: Waiting = {},
): ExaminedList {
  const asked = planFor(history, { ...options, pendingCalls: [...pendingCalls] })
  const plan = {
    ...asked,
    codec: keeping(asked.codec, {
      ...(keepsText && { keepsText }),
      ...(marksSteps && { marksSteps }),
      ...(places && { locate: locateAt(asked.codec.format, places) }),
    }),
    facts: { ...asked.facts, ...facts },
    choices: { ...asked.choices, pending: tail ? ('keep' as const) : ('named' as const) },
  }
  const placeOf = (index: number): string => `${plan.codec.format.root}[${places?.[index] ?? index}]`
  const { repairs, remaining, messages } = repairWhole(history, plan)
  const context = new RuleContext(plan.codec.decode(history), plan)
  const open = context.pairing.calls.filter(call => !call.answer && !call.part.providerRun)
  const waits = context.waiting
  const waiting = open.filter(call => waits.has(call) || plan.choices.pendingCalls.has(call.part.id)).length
  const begin = repairs.length > 0 || remaining.length > 0 ? brokenSince(context, plan.rules) : undefined
  const counts = { ...countCalls(history, options), unanswered: open.length - waiting }
  return {
    state: stateOf({ repairs, remaining, waiting }),
    counts,
    ...(begin ? { since: begin } : {}),
    repairs,
    remaining,
    dropped: droppedFrom(history, messages, repairs, placeOf),
    messages: repairs.length > 0 ? messages : history,
    draw: () => drawMessages(plan.codec.decode(history).messages, { repairs, remaining }, recordsOf(history, placeOf)),
  }
}

const recordsOf = (history: readonly unknown[], placeOf: (index: number) => string): DrawnRecord[] =>
  history.map((message, index) => ({ at: placeOf(index), text: JSON.stringify(message) ?? '' }))

/** Names the place of a message in its store. */
const locateAt =
  (format: Format, places: readonly number[]): Format['locate'] =>
  (message, part) => {
    const origin = places[message.origin ?? -1]
    return format.locate(origin === undefined ? message : { ...message, origin }, part)
  }

function keeping(codec: Codec, more: Partial<Pick<Format, 'keepsText' | 'marksSteps' | 'locate'>>): Codec {
  const format = { ...codec.format, ...more }
  return { ...codec, format, decode: (...asked) => ({ ...codec.decode(...asked), format }) }
}

/** The messages that a repair removed whole; what it removed from within a message is in the report of its edits. */
function droppedFrom(
  history: readonly unknown[],
  healed: readonly unknown[],
  repairs: Examination['repairs'],
  placeOf: (index: number) => string,
): Examination['dropped'] {
  if (repairs.length === 0) return []
  const stays = new Set(healed)
  const rules = new Map<number, string>()
  for (const { rule, edits } of repairs)
    for (const edit of edits)
      if (edit.kind === 'remove' && edit.message.origin !== undefined) rules.set(edit.message.origin, rule)
  return [...rules].flatMap(([index, rule]) =>
    stays.has(history[index]) ? [] : [{ at: placeOf(index), rule, content: JSON.stringify(history[index]) ?? '' }],
  )
}
