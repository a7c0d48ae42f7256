import { AntiphonError } from '../../../src/core/errors.ts'
import type { Entry } from '../../../src/journal/entry.ts'
import type { Thread } from '../../../src/journal/thread.ts'
import type { SubmitOptions } from '../../../src/journal/thread-options.ts'
import type { Random } from '../../laws/random.ts'
import type { Acknowledged } from '../invariants/acknowledged.ts'
import { wordOf, wordsOnly } from '../invariants/words.ts'
import type { Actor } from './actor.ts'
import type { Observer } from './observer.ts'
import type { Process } from './process.ts'

interface Submission {
  readonly thread: string
  readonly key: string
  readonly content: unknown
  /** The shape of the content, if it has one. */
  readonly format?: string
  /** Somebody has heard what became of it. */
  isAnswered: boolean
}

/**
 * The people at the other end, and what they want: they speak, press stop, approve and deny, and give results. They do it
 * through any process that lives, and a client without an answer tries again through another one.
 */
export class Clients {
  readonly #random: Random
  readonly #acknowledged: Acknowledged
  readonly #nextWord: () => number
  readonly #submissions: Submission[] = []
  /** Calls that somebody has seen once, whatever became of them. */
  readonly #seen: { readonly thread: string; readonly call: string }[] = []

  /** Who reads along now. */
  readonly #watches = new Set<{ process: Process; name: string; entries: readonly Entry[] }>()

  constructor(random: Random, acknowledged: Acknowledged, nextWord: () => number) {
    this.#random = random
    this.#acknowledged = acknowledged
    this.#nextWord = nextWord
  }

  /** Input that somebody gave and has no answer for. */
  get unanswered(): readonly Submission[] {
    return this.#submissions.filter(({ isAnswered }) => !isAnswered)
  }

  /** New input, or input that was there before, sometimes with other words. */
  async speak(actor: Actor, thread: string): Promise<void> {
    const random = this.#random
    const options: SubmitOptions = {
      whenBusy: random.pick(['queue', 'queue', 'steer', 'steer', 'interrupt', 'reject'] as const),
      whenApproving: random.pick(['queue', 'deny'] as const),
    }
    const before = this.#submissions.filter(submission => submission.thread === thread)
    if (before.length === 0 || random.chance(0.7)) return this.#speakAnew(actor, thread, options)
    const { key, content, ...more } = random.pick(before)
    const words = random.chance(0.8) ? content : `Please ${wordOf('in', this.#nextWord())}`
    await this.submit(actor, { ...more, key, content: words }, options)
  }

  async submit(actor: Actor, submission: Submission, options: SubmitOptions = {}): Promise<void> {
    const { thread, key, content, format } = submission
    await actor.attempt(async () => {
      // Somebody else would have to say it in another shape, and that is not a second try.
      if (format !== undefined && format !== formatOf(actor)) {
        submission.isAnswered = true
        return
      }
      try {
        const receipt = await actor.process.thread(thread).submit(content, { ...options, key })
        submission.isAnswered = true
        this.#acknowledged.receipts.push({ receipt, content })
      } catch (error) {
        if (!AntiphonError.is(error) || !declined.has(error.code)) throw error
        submission.isAnswered = true
        if (error.code === 'thread-erased') throw error
        if (error.code === 'key-taken') this.#acknowledged.taken.push({ thread, key, content })
      }
    })
  }

  /** Looks at the calls that are open, and does something to some of them. */
  async decide(actor: Actor, name: string, { all = false } = {}): Promise<void> {
    const random = this.#random
    await actor.attempt(async () => {
      const thread = actor.process.thread(name)
      for (const { id, parked } of await thread.openCalls()) {
        this.#seen.push({ thread: name, call: id })
        if (parked?.why === 'agent') continue
        if (parked ? all || random.chance(0.6) : random.chance(0.05)) await this.#treat(thread, id, parked?.why)
      }
    })
  }

  /** Stops a call that nobody can end otherwise. */
  async interrupt(actor: Actor, name: string, turn?: number): Promise<void> {
    await actor.attempt(async () => {
      const told = await actor.process.thread(name).interrupt('enough', turn === undefined ? {} : { turn })
      if (told.isInterrupted && told.turn !== undefined)
        this.#acknowledged.interruptions.push({ thread: name, turn: told.turn })
    })
  }

  async erase(actor: Actor, name: string): Promise<void> {
    await actor.attempt(() => actor.process.thread(name).erase())
  }

  /** Goes back, changes what was said, wants another answer, or a summary. */
  async branch(actor: Actor, name: string): Promise<void> {
    const random = this.#random
    const way = random.pick(['fork', 'switch', 'edit', 'edit', 'regenerate', 'compact', 'compact', 'expand'] as const)
    await actor.attempt(async () => {
      const thread = actor.process.thread(name)
      try {
        if (way === 'fork')
          await thread.fork({ at: random.int(40), openCalls: random.pick(['reject', 'drop'] as const) })
        else if (way === 'switch') {
          const { branch } = random.pick(await thread.branches())
          await thread.switch(branch, { whenBusy: random.pick(['reject', 'interrupt'] as const) })
        } else if (way === 'edit') await this.#edit(thread)
        else if (way === 'compact') await thread.compact({ summary: wordsOnly, keepTurns: random.int(3) })
        else if (way === 'expand') await thread.expand()
        else await thread.regenerate()
      } catch (error) {
        if (!AntiphonError.is(error) || !refusedBranch.has(error.code)) throw error
      }
    })
  }

  async #edit(thread: Thread): Promise<void> {
    const known = this.#acknowledged.receipts.filter(({ receipt }) => receipt.thread === thread.name)
    if (known.length === 0) return
    const count = this.#nextWord()
    const content = `Please ${wordOf('in', count)}`
    const receipt = await thread.edit(this.#random.pick(known).receipt.seq, content, { key: `key ${count}` })
    this.#acknowledged.receipts.push({ receipt, content })
  }

  /** A result or a decision for a call from any time. */
  async comeLate(actor: Actor): Promise<void> {
    if (this.#seen.length === 0) return
    const { thread, call } = this.#random.pick(this.#seen)
    const why = this.#random.pick(['approval', 'outside', undefined] as const)
    await actor.attempt(() => this.#treat(actor.process.thread(thread), call, why))
  }

  /** Reads along until it is told to stop. */
  async watch(actor: Actor, name: string, signal: AbortSignal): Promise<void> {
    const { process } = actor
    const entries: Entry[] = []
    this.#acknowledged.watched.push({ thread: name, entries })
    const watch = { process, name, entries }
    this.#watches.add(watch)
    await actor.attempt(async () => {
      for await (const entry of process.thread(name).watch({ signal })) entries.push(entry)
    })
    this.#watches.delete(watch)
  }

  /** Those who read along and have not seen what was written before that time. */
  laggards(observer: Observer, before: number): string[] {
    return [...this.#watches].flatMap(({ process, name, entries }) => {
      const { entries: written = [], isErased = false } = observer.named(name) ?? {}
      if (isErased) return []
      const { length } = written.filter(({ at }) => at < before)
      if (process.isDead || entries.length >= length) return []
      return [`${process.name} watches ${name} and has seen ${entries.length} of ${length} entries`]
    })
  }

  async #speakAnew(actor: Actor, thread: string, options: SubmitOptions): Promise<void> {
    const count = this.#nextWord()
    const input = inputOf(`Please ${wordOf('in', count)}`, actor, this.#random)
    const submission: Submission = { ...input, thread, key: `key ${count}`, isAnswered: false }
    this.#submissions.push(submission)
    await this.submit(actor, submission, options)
  }

  /** Mostly what is asked for, and sometimes what is not. */
  async #treat(thread: Thread, call: string, why: 'approval' | 'outside' | undefined): Promise<void> {
    const random = this.#random
    const usual = why === 'approval' ? ['approve', 'approve', 'deny'] : ['settle']
    const ways = random.chance(0.85) ? usual : ['approve', 'deny', 'settle', 'fail', 'contradict']
    const way = random.pick(ways)
    if (way === 'contradict') {
      await Promise.all([this.#verdict(thread, call, true), this.#verdict(thread, call, false)])
    } else if (way === 'approve' || way === 'deny') await this.#verdict(thread, call, way === 'approve')
    else await this.#settle(thread, call, way === 'fail')
  }

  async #verdict(thread: Thread, call: string, isApproved: boolean): Promise<void> {
    const changed = this.#random.chance(0.3) ? { input: { mind: wordOf('in', this.#nextWord()) } } : {}
    const verdict = isApproved ? await thread.approve(call, changed) : await thread.deny(call, 'too dear')
    this.#acknowledged.verdicts.push({ call, verdict })
  }

  async #settle(thread: Thread, call: string, error: boolean): Promise<void> {
    const settlement = await thread.settle(call, { word: wordOf('out', this.#nextWord()) }, { error })
    this.#acknowledged.settlements.push({ call, settlement })
  }
}

/** Words, or a user's message as the process writes it that takes it in. */
function inputOf(text: string, actor: Actor, random: Random): Pick<Submission, 'content' | 'format'> {
  if (random.chance(0.75)) return { content: text }
  const format = formatOf(actor)
  if (format === 'gemini') return { content: { role: 'user', parts: [{ text }] }, format }
  const type = format === 'openai-responses' ? 'input_text' : 'text'
  return { content: { role: 'user', content: [{ type, text }] }, format }
}

const formatOf = ({ process }: Actor): string => process.thread('one').target.format

/** Answers to somebody who speaks when he may not. */
const declined = new Set(['key-taken', 'thread-busy', 'thread-erased'])

/** Answers to somebody who wants a branch where there can be none. */
const refusedBranch = new Set([
  ...['open-calls', 'wrong-number', 'thread-busy', 'unknown-input', 'branch-changed', 'unsafe-cut', 'invalid-summary'],
])
