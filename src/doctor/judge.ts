import { type Choices, defaultAllow } from '../core/choices.ts'
import { type Dialect, lenientFacts } from '../core/dialect.ts'
import { type DialectId, dialects } from '../core/dialects/index.ts'
import { checkRules } from '../core/rules/check.ts'
import { rules } from '../core/rules/index.ts'
import { type Repaired, repairWithRules } from '../core/rules/repair.ts'
import { RuleContext } from '../core/rules/rule.ts'
import type { CallCounts } from '../heal/count.ts'
import { withoutPlaces } from './quote.ts'
import type { Passage, Script } from './script.ts'
import { type Since, since } from './since.ts'

/** Which calls may stay open in a store. */
export interface Waiting {
  /** Calls that something in the store names as waiting, such as an approval that was asked for. */
  readonly pendingCalls?: Iterable<string>
  /** The last step may still be at work. */
  readonly tail?: boolean
}

/** A stretch of a conversation: whether more stands in front of it, or behind it. */
export interface Cut {
  readonly cutBefore?: boolean
  readonly cutAfter?: boolean
  /** How many turns stand in front of it. */
  readonly turns?: number
}

export interface Judgement extends Repaired {
  readonly counts: CallCounts
  /** Calls that are open and may be. */
  readonly waiting: number
  /** From where on it is broken. */
  readonly since?: Since
}

/** What is wrong with passages and how they would be mended, by the rules of pairing and what the system adds to them. */
export function judge(
  passages: readonly Passage[],
  script: Pick<Script<unknown>, 'wire' | 'reader' | 'facts'>,
  { pendingCalls = [], tail = false }: Waiting = {},
  { turns = 0, ...cut }: Cut = {},
): Judgement {
  const messages = passages.map(({ message }) => message)
  const choices: Choices = {
    allow: new Set(defaultAllow),
    pending: tail ? 'keep' : 'named',
    pendingCalls: new Set(pendingCalls),
    orphans: 'drop',
    repeats: 'keep',
  }
  const facts = { ...lenientFacts, ...script.facts }
  const conversation = { format: script.wire, messages, continues: false, ...cut }
  const scene = new RuleContext(conversation, { facts, choices })
  const dialect: Dialect = { ...withoutPlaces(dialects[script.reader as DialectId]), facts }
  const { calls, results } = scene.pairing
  const open = calls.filter(call => !call.answer && !call.part.hosted)
  const mayWait = scene.waiting
  const waiting = open.filter(call => mayWait.has(call) || choices.pendingCalls.has(call.part.id)).length
  const counts = {
    calls: calls.length,
    results: results.length,
    orphans: results.filter(({ call }) => !call).length,
    unanswered: open.length - waiting,
  }
  const isClean = checkRules(scene, { rules, dialect }).length === 0
  if (isClean) return { messages, repairs: [], remaining: [], counts, waiting }
  const begin = since(scene, rules, turns)
  return {
    ...repairWithRules(scene, { rules, dialect }, () => false),
    counts,
    waiting,
    ...(begin ? { since: begin } : {}),
  }
}
