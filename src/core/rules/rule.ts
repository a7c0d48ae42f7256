import type { Choices, EditClass } from '../choices.ts'
import { type Conversation, type Format, isPending, type Message, type OtherPart, type Part } from '../conversation.ts'
import type { Facts } from '../dialect.ts'
import type { Draft } from '../edit.ts'
import type { PairedCall, Pairing } from '../pairing/paired-calls.ts'
import { pairCalls } from '../pairing/pairing.ts'
import type { Settings } from '../settings.ts'

/** One kind of defect: how to find it and how to repair it. */
export interface Rule {
  readonly id: string
  readonly severity: 'error' | 'warning'
  /** Whether it applies to a dialect and a format. */
  appliesTo(facts: Facts, format: Format): boolean
  /** Reports every defect. Changes nothing. */
  check(context: RuleContext, report: (defect: Defect) => void): void
}

/** The documentation of a rule. */
export interface Page {
  /** What is wrong, in one sentence. */
  readonly summary: string
  /** Why it matters. */
  readonly why: string
  /** What the repair does. */
  readonly fix: string
}

export interface Defect {
  readonly message?: Message
  readonly part?: Part
  readonly callId?: string
  /** The message that the error message of the provider names, if that is another one. */
  readonly refused?: Message
  /** What is wrong here. */
  readonly text: string
  readonly fix?: Fix
  /** What to do if there is no fix. */
  readonly help?: string
}

export interface Fix {
  /** What it does, for the user. */
  readonly title: string
  readonly class: EditClass
  /**
   * Makes the edits. Earlier fixes of the same rule may have changed the draft, so it reads messages by key, in their
   * current state.
   */
  apply(draft: Draft): void
}

/** Defines a rule; by default an error that applies always. */
/* @__NO_SIDE_EFFECTS__ */
export const defineRule = (rule: Pick<Rule, 'id' | 'check'> & Partial<Rule>): Rule => ({
  severity: 'error',
  appliesTo: () => true,
  ...rule,
})

/** The facts of the dialect, and the options of the caller. */
interface Requirements {
  readonly facts: Facts
  readonly choices: Choices
}

/** The input of a rule: the current messages, the format, the facts of the dialect and the options of the caller. */
export class RuleContext {
  readonly messages: readonly Message[]
  readonly format: Format
  readonly facts: Facts
  readonly choices: Choices
  readonly continues: boolean
  readonly unreadable: string | undefined
  readonly cutBefore: boolean
  readonly cutAfter: boolean
  readonly settings: Settings | undefined
  /** A repair has removed every message. */
  readonly emptied: boolean
  #pairing: Pairing | undefined
  #tail: ReadonlySet<PairedCall> | undefined
  #waiting: ReadonlySet<PairedCall> | undefined

  constructor(conversation: Conversation, { facts, choices }: Requirements, emptied = false) {
    this.messages = conversation.messages
    this.format = conversation.format
    this.continues = conversation.continues
    this.unreadable = conversation.unreadable
    this.facts = facts
    this.choices = choices
    this.cutBefore = conversation.cutBefore === true
    this.cutAfter = conversation.cutAfter === true
    this.settings = conversation.settings
    this.emptied = emptied
  }

  get pairing(): Pairing {
    this.#pairing ??= pairCalls(this.messages, this.cutAfter, this.format)
    return this.#pairing
  }

  /** The calls of the last step, if only results follow it and the history ends there. */
  get tail(): ReadonlySet<PairedCall> {
    this.#tail ??= this.#findTail()
    return this.#tail
  }

  #findTail(): ReadonlySet<PairedCall> {
    const last = this.cutAfter ? undefined : this.pairing.steps.at(-1)
    const isTail = last && this.messages.slice(last.position + 1).every(message => message.role === 'tool')
    return new Set(isTail ? last.calls : [])
  }

  /**
   * The calls that may stay open: those of the last step if the history is stored; otherwise those of it that were
   * approved and run next, or that an interrupted run or an SDK settles next.
   */
  get waiting(): ReadonlySet<PairedCall> {
    this.#waiting ??= this.#findWaiting()
    return this.#waiting
  }

  #findWaiting(): ReadonlySet<PairedCall> {
    const { pending, pendingCalls } = this.choices
    if (pending === 'keep') return this.tail
    const runsNext = ({ part }: PairedCall): boolean =>
      part.approval === 'granted' ||
      ((this.format.interrupts === true || part.approval === 'denied') && isPending(part, pendingCalls))
    return new Set([...this.tail].filter(call => !call.answer && runsNext(call)))
  }

  /** All call ids. A check adds the ids it makes to a set of its own, so that it makes the same ones whenever it runs. */
  takenIds(): Set<string> {
    return new Set(this.pairing.calls.map(({ part }) => part.id))
  }

  /** The same context with the current messages of a draft. */
  with({ messages, settings }: Draft): RuleContext {
    const { format, continues, cutBefore, cutAfter } = this
    const known = settings === undefined ? {} : { settings }
    const emptied = messages.length === 0 && (this.emptied || this.messages.length > 0)
    return new RuleContext({ format: format, continues, cutBefore, cutAfter, messages, ...known }, this, emptied)
  }
}

/** A call as messages name it. In some formats calls have no ids. */
export const callLabel = (id: string): string => (id === '' ? 'a call' : `call ${shortenId(id)}`)

/** An id as messages show it. */
export const shortenId = (id: string): string => (id.length > 80 ? `${id.slice(0, 80)}…` : id)

/** Whether an SDK omits a part without a replacement. */
export const isOmittedBySdk = (part: Part, facts: Facts): boolean =>
  isUnknownToSdk(part, facts) ||
  (part.kind === 'other' &&
    (part.unsent !== undefined ||
      isForOtherProvider(part, facts) ||
      (part.file !== undefined && (facts.files === 'ignored' || facts.files === 'skipped'))))

/** Whether an SDK omits a part because it is for another provider. */
export const isForOtherProvider = ({ host }: OtherPart, { hosts }: Facts): boolean =>
  host !== undefined && hosts?.includes(host) === false

/** Whether an SDK omits a part because it does not know the type of its block. */
export const isUnknownToSdk = ({ block }: Part, { sentBlocks }: Facts): boolean =>
  block !== undefined && sentBlocks?.test(block) === false

/** The messages that an SDK sends: all but assistant messages that have only omitted parts. */
export const sentMessages = ({ messages, facts }: RuleContext): readonly Message[] =>
  messages.filter(
    ({ role, parts }) => role !== 'assistant' || parts.length === 0 || parts.some(part => !isOmittedBySdk(part, facts)),
  )
