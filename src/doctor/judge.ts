import { type Choices, defaultAllow } from '../core/choices.ts'
import { type Dialect, lenientFacts } from '../core/dialect.ts'
import { type DialectId, dialects } from '../core/dialects/index.ts'
import { checkRules } from '../core/rules/check.ts'
import { rules } from '../core/rules/index.ts'
import { type Repaired, repairWithRules } from '../core/rules/repair.ts'
import { RuleContext } from '../core/rules/rule.ts'
import type { CallCounts } from '../heal/count.ts'
import { withoutPlaces } from './quote.ts'
import type { MessageRecords, RecordFormat } from './record-format.ts'
import { type BrokenSince, brokenSince } from './since.ts'

/** Which calls of a store may stay open. */
export interface Waiting {
  /** Calls that the store itself lists as waiting, for example for an approval. */
  readonly pendingCalls?: Iterable<string>
  /** The last step may still be running. */
  readonly tail?: boolean
}

/** A part of a conversation: whether there is more before or after it. */
export interface Cut {
  readonly cutBefore?: boolean
  readonly cutAfter?: boolean
  /** How many turns are before it. */
  readonly turns?: number
}

export interface Judgement extends Repaired {
  readonly counts: CallCounts
  /** The number of open calls that may stay open. */
  readonly waiting: number
  /** From where on it is broken. */
  readonly since?: BrokenSince
}

/** What a judgement needs to know of a record format. */
export type JudgeFormat = Pick<
  RecordFormat<unknown>,
  'format' | 'dialect' | 'facts' | 'isPartial' | 'freshId' | 'isFixed'
>

/** What is wrong with a conversation and how it is repaired, by the pairing rules and what the system adds to them. */
export function judge(
  messageRecords: readonly MessageRecords[],
  recordFormat: JudgeFormat,
  { pendingCalls = [], tail = false }: Waiting = {},
  { turns = 0, ...cut }: Cut = {},
): Judgement {
  const messages = messageRecords.map(({ message }) => message)
  const choices: Choices = {
    allow: new Set(defaultAllow),
    pending: tail ? 'keep' : 'named',
    pendingCalls: new Set(pendingCalls),
    orphans: 'drop',
    repeats: 'keep',
    ...(recordFormat.freshId && { freshId: recordFormat.freshId }),
    ...(recordFormat.isFixed && { isFixed: recordFormat.isFixed }),
  }
  const facts = { ...lenientFacts, ...recordFormat.facts }
  const conversation = { format: recordFormat.format, messages, continues: recordFormat.isPartial === true, ...cut }
  const context = new RuleContext(conversation, { facts, choices })
  const dialect: Dialect = { ...withoutPlaces(dialects[recordFormat.dialect as DialectId]), facts }
  const { calls, results } = context.pairing
  const open = calls.filter(call => !call.answer && !call.part.providerRun)
  const mayWait = context.waiting
  const waiting = open.filter(call => mayWait.has(call) || choices.pendingCalls.has(call.part.id)).length
  const counts = {
    calls: calls.length,
    results: results.length,
    orphans: results.filter(({ call }) => !call).length,
    unanswered: open.length - waiting,
  }
  const isClean = checkRules(context, { rules, dialect }).length === 0
  if (isClean) return { messages, repairs: [], remaining: [], counts, waiting }
  const begin = brokenSince(context, rules, turns)
  return {
    ...repairWithRules(context, { rules, dialect }, () => false),
    counts,
    waiting,
    ...(begin ? { since: begin } : {}),
  }
}
