import type { Choices, EditClass } from '../choices.ts'
import { type Conversation, isPending, type Message, type Part, type Wire } from '../conversation.ts'
import type { Facts } from '../dialect.ts'
import type { Draft } from '../edit.ts'
import { pair } from '../pairing/pairing.ts'
import type { Call, Pairing } from '../pairing/pairs.ts'
import type { Settings } from '../settings.ts'

/** One defect: how to see it and how to mend it. */
export interface Rule {
  readonly id: string
  readonly severity: 'error' | 'warning'
  /** Whether a reader insists on it, and a wire can show it. */
  appliesTo(facts: Facts, wire: Wire): boolean
  /** Reports every place. It changes nothing. */
  check(scene: Scene, report: (finding: Finding) => void): void
}

/** What is said of a rule. */
export interface Page {
  /** What is wrong, in one sentence. */
  readonly summary: string
  /** Why it matters. */
  readonly why: string
  /** What the repair does. */
  readonly fix: string
}

export interface Finding {
  readonly message?: Message
  readonly part?: Part
  readonly callId?: string
  /** The message that a refusal names, if that is another one. */
  readonly refused?: Message
  /** What is wrong here. */
  readonly text: string
  readonly fix?: Fix
  /** What to do, where no edit mends it. */
  readonly help?: string
}

export interface Fix {
  /** What it does, said to the user. */
  readonly title: string
  readonly class: EditClass
  /** Makes the edits. Earlier fixes of the same rule may have changed the draft: it reads messages by key, as they are now. */
  apply(draft: Draft): void
}

/** A rule, which is an error and applies to everyone unless it says otherwise. */
export const defineRule = (rule: Pick<Rule, 'id' | 'check'> & Partial<Rule>): Rule => ({
  severity: 'error',
  appliesTo: () => true,
  ...rule,
})

/** Who is to read it, and what the caller wants. */
interface Asked {
  readonly facts: Facts
  readonly choices: Choices
}

/** What a rule sees: the messages as they are now, the reader's facts and the caller's choices. */
export class Scene {
  readonly messages: readonly Message[]
  readonly wire: Wire
  readonly facts: Facts
  readonly choices: Choices
  readonly continues: boolean
  readonly foreign: string | undefined
  readonly cutBefore: boolean
  readonly cutAfter: boolean
  readonly settings: Settings | undefined
  /** A repair has removed every message. */
  readonly emptied: boolean
  #pairing: Pairing | undefined
  #callIds: Set<string> | undefined

  constructor(conversation: Conversation, { facts, choices }: Asked, emptied = false) {
    this.messages = conversation.messages
    this.wire = conversation.wire
    this.continues = conversation.continues
    this.foreign = conversation.foreign
    this.facts = facts
    this.choices = choices
    this.cutBefore = conversation.cutBefore === true
    this.cutAfter = conversation.cutAfter === true
    this.settings = conversation.settings
    this.emptied = emptied
  }

  get pairing(): Pairing {
    this.#pairing ??= pair(this.messages, this.cutAfter, this.wire)
    return this.#pairing
  }

  /** The calls of the last step, if nothing but results stands behind it and it is the end of the history. */
  get tail(): ReadonlySet<Call> {
    const last = this.cutAfter ? undefined : this.pairing.steps.at(-1)
    const isTail = last && this.messages.slice(last.position + 1).every(message => message.role === 'tool')
    return new Set(isTail ? last.calls : [])
  }

  /**
   * The calls that may stay open: those of the tail if it is stored, and else those of it that were approved and run next,
   * or that an interrupted run waits for.
   */
  get waiting(): ReadonlySet<Call> {
    const { pending, pendingCalls } = this.choices
    if (pending === 'keep') return this.tail
    const runsNext = ({ part }: Call): boolean =>
      part.approval === 'granted' || (this.wire.interrupts === true && isPending(part, pendingCalls))
    return new Set([...this.tail].filter(call => !call.answer && runsNext(call)))
  }

  /** Every call id there is; rules that mint ids add theirs. */
  get callIds(): Set<string> {
    if (!this.#callIds) {
      this.#callIds = new Set()
      for (const { part } of this.pairing.calls) this.#callIds.add(part.id)
    }
    return this.#callIds
  }

  /** The same, as a draft has it now. */
  with({ messages, settings }: Draft): Scene {
    const { wire, continues, cutBefore, cutAfter } = this
    const known = settings === undefined ? {} : { settings }
    const emptied = messages.length === 0 && (this.emptied || this.messages.length > 0)
    return new Scene({ wire, continues, cutBefore, cutAfter, messages, ...known }, this, emptied)
  }
}

/** A call as a sentence names it. On some wires calls have no ids. */
export const callOf = (id: string): string => (id === '' ? 'a call' : `call ${shown(id)}`)

/** An id as it is shown in a sentence. */
export const shown = (id: string): string => (id.length > 80 ? `${id.slice(0, 80)}…` : id)

/** Whether an SDK leaves a part out, so that nothing stands in its place. */
export const isUnsent = (part: Part, facts: Facts): boolean =>
  isUnknown(part, facts) ||
  (part.kind === 'other' &&
    (part.unsent !== undefined ||
      (part.file !== undefined && (facts.files === 'ignored' || facts.files === 'skipped'))))

/** Whether an SDK leaves a part out because it does not know the type of its block. */
export const isUnknown = ({ block }: Part, { sentBlocks }: Facts): boolean =>
  block !== undefined && sentBlocks?.test(block) === false

/** The messages that an SDK sends: not those of the assistant that have nothing but parts that it leaves out. */
export const sentMessages = ({ messages, facts }: Scene): readonly Message[] =>
  messages.filter(
    ({ role, parts }) => role !== 'assistant' || parts.length === 0 || parts.some(part => !isUnsent(part, facts)),
  )
