import { type CodecId, codecs } from '../../src/codecs/index.ts'
import type { Conversation } from '../../src/core/conversation.ts'
import type { DialectId } from '../../src/core/dialects/index.ts'
import { checkRules as checkScene } from '../../src/core/rules/check.ts'
import { RuleContext } from '../../src/core/rules/rule.ts'
import { decodeHistory, isHealthy } from '../../src/heal/heal.ts'
import { planFor } from '../../src/heal/options.ts'
import {
  check,
  createHealer,
  type Diagnostic,
  type HealOptions,
  heal,
  type RepairResult,
  repair,
} from '../../src/index.ts'
import type { History } from './history.ts'

export type Messages = readonly unknown[]

/** What is put to the test. A test of the laws themselves puts a broken one here. */
export interface Healer {
  heal: typeof heal
  check: typeof check
  repair: typeof repair
  createHealer: typeof createHealer
}

export const antiphon: Healer = { heal, check, repair, createHealer }

export interface Subject {
  readonly codec: CodecId
  readonly dialect: DialectId
  readonly kind: History['kind']
  readonly messages: Messages
  /** Where the history may be cut for the law of the stable prefix, which takes the first that it can. */
  readonly cuts: readonly number[]
}

/** One history and what healing makes of it, each answer asked for once. The history is frozen to its leaves. */
export class Trial {
  readonly subject: Subject
  readonly messages: Messages
  readonly options: HealOptions
  readonly healer: Healer
  #result: RepairResult<Messages> | undefined
  #found: Diagnostic[] | undefined
  #decoded: Conversation | undefined

  constructor(subject: Subject, healer: Healer = antiphon) {
    this.subject = subject
    this.messages = subject.messages
    this.options = { format: subject.codec, for: subject.dialect }
    this.healer = healer
    freeze(this.messages)
  }

  get codec() {
    return codecs[this.subject.codec]
  }

  get decoded(): Conversation {
    this.#decoded ??= this.codec.decode(this.messages)
    return this.#decoded
  }

  /** The repair with everything that is allowed by default. */
  get result(): RepairResult<Messages> {
    this.#result ??= this.healer.repair(this.messages, this.options)
    return this.#result
  }

  get found(): Diagnostic[] {
    this.#found ??= this.healer.check(this.messages, this.options)
    return this.#found
  }

  /** Whether the quick look passes the history, and what the full one finds in it. */
  get isPassed(): boolean {
    return isHealthy(this.messages, planFor(this.messages, this.options))
  }

  get foundInFull(): Diagnostic[] {
    const plan = planFor(this.messages, this.options)
    return checkScene(new RuleContext(decodeHistory(this.messages, plan), plan), plan)
  }
}

/** Freezes a value to its leaves, however deep it is. */
function freeze(value: unknown): void {
  const stack = [value]
  while (stack.length > 0) {
    const top = stack.pop()
    if (typeof top !== 'object' || top === null || Object.isFrozen(top)) continue
    Object.freeze(top)
    for (const child of Object.values(top)) if (typeof child === 'object') stack.push(child)
  }
}
