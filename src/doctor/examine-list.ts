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
import { since } from './since.ts'
import type { Drawing, DrawnRecord, Examination } from './system.ts'

/** A list that was examined, and what it is when it is healed: what was not touched is the very same object. */
export interface ListExamined extends Omit<Examination, 'notes' | 'treatment'> {
  readonly messages: readonly unknown[]
  readonly draw: () => Drawing
}

export interface ListOptions extends HealOptions {
  readonly format: CodecId
  /** What its program insists on beyond what the reader does. */
  readonly facts?: Partial<Facts>
  /** What the assistant said between calls and their results stays a message of its own. */
  readonly keepsText?: true
  /** Its messages are the steps as they were made: calls of neighbouring ones are not put together. */
  readonly marksSteps?: true
}

/** Examines a conversation whose records are the messages of a codec. `show` says where a message stands and what it is. */
export function examineList(
  history: readonly unknown[],
  { facts, keepsText, marksSteps, ...options }: ListOptions,
  { pendingCalls = [], tail = false }: Waiting = {},
): ListExamined {
  const asked = planFor(history, { ...options, pendingCalls: [...pendingCalls] })
  const plan = {
    ...asked,
    codec: keeping(asked.codec, { ...(keepsText && { keepsText }), ...(marksSteps && { marksSteps }) }),
    facts: { ...asked.facts, ...facts },
    choices: { ...asked.choices, pending: tail ? ('keep' as const) : ('named' as const) },
  }
  const { repairs, remaining, messages } = repairWhole(history, plan)
  const scene = new RuleContext(plan.codec.decode(history), plan)
  const open = scene.pairing.calls.filter(call => !call.answer && !call.part.hosted)
  const waits = scene.waiting
  const waiting = open.filter(call => waits.has(call) || plan.choices.pendingCalls.has(call.part.id)).length
  const begin = repairs.length > 0 || remaining.length > 0 ? since(scene, plan.rules) : undefined
  const counts = { ...countCalls(history, options), unanswered: open.length - waiting }
  return {
    state: stateOf({ repairs, remaining, waiting }),
    counts,
    ...(begin ? { since: begin } : {}),
    repairs,
    remaining,
    dropped: droppedFrom(history, messages, repairs, plan.codec.format.root),
    messages: repairs.length > 0 ? messages : history,
    draw: () =>
      drawMessages(
        plan.codec.decode(history).messages,
        { repairs, remaining },
        recordsOf(history, plan.codec.format.root),
      ),
  }
}

const recordsOf = (history: readonly unknown[], root: string): DrawnRecord[] =>
  history.map((message, index) => ({ at: `${root}[${index}]`, text: JSON.stringify(message) ?? '' }))

function keeping(codec: Codec, more: Pick<Format, 'keepsText' | 'marksSteps'>): Codec {
  const wire = { ...codec.format, ...more }
  return { ...codec, format: wire, decode: (...asked) => ({ ...codec.decode(...asked), format: wire }) }
}

/** The messages that a repair took out whole; what it took out of a message stands in the report of its edits. */
function droppedFrom(
  history: readonly unknown[],
  healed: readonly unknown[],
  repairs: Examination['repairs'],
  root: string,
): Examination['dropped'] {
  if (repairs.length === 0) return []
  const stays = new Set(healed)
  const rules = new Map<number, string>()
  for (const { rule, edits } of repairs)
    for (const edit of edits)
      if (edit.kind === 'remove' && edit.message.origin !== undefined) rules.set(edit.message.origin, rule)
  return [...rules].flatMap(([index, rule]) =>
    stays.has(history[index]) ? [] : [{ at: `${root}[${index}]`, rule, content: JSON.stringify(history[index]) ?? '' }],
  )
}
