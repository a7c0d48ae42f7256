import { type Journal, openJournal } from '../../../journal/journal.ts'
import { openStore } from '../../../journal/stores/open-store.ts'
import type { ApprovalResult } from '../../../journal/thread.ts'
import type { Deed, Done } from '../protocol.ts'

/** What acts on a journal. It is opened for writing when it is first needed: whoever only looks, writes nothing. */
export class Hand {
  readonly #where: string
  readonly #schema: string | undefined
  readonly #check: () => void
  #journal: Promise<Journal> | undefined

  /**
   * `where` must be a journal already, of today's version: then opening it makes and changes nothing. `check` throws if it must
   * not be written to.
   */
  constructor(where: string, schema: string | undefined, check: () => void = () => {}) {
    this.#where = where
    this.#schema = schema
    this.#check = check
  }

  async act(name: string, deed: Deed): Promise<Done> {
    const thread = (await this.#open()).thread(name)
    if (deed.do === 'interrupt') {
      const { isInterrupted, turn } = await thread.interrupt(
        deed.reason,
        deed.turn === undefined ? {} : { turn: deed.turn },
      )
      if (isInterrupted) return { said: `turn ${turn} is being interrupted` }
      return {
        said:
          turn === undefined ? 'no turn is running' : `nothing was done: turn ${turn} is another one, or stops already`,
      }
    }
    const verdict = deed.do === 'approve' ? await thread.approve(deed.call) : await thread.deny(deed.call, deed.reason)
    return { said: sayVerdict(verdict) }
  }

  async close(): Promise<void> {
    await this.#journal?.then(
      journal => journal.close(),
      () => {},
    )
  }

  #open(): Promise<Journal> {
    this.#journal ??= this.#connect().catch(error => {
      this.#journal = undefined
      throw error
    })
    return this.#journal
  }

  async #connect(): Promise<Journal> {
    this.#check()
    const options = {
      reconnectMs: 2_000,
      connections: 2,
      ...(this.#schema === undefined ? {} : { schema: this.#schema }),
    }
    return openJournal(await openStore(this.#where, options), { telemetry: false })
  }
}

/** Of two contrary decisions the first one counts, and the second is told so. */
function sayVerdict({ isFirst, status, reason }: ApprovalResult): string {
  const because = reason === undefined ? '' : `: ${reason}`
  if (isFirst) return `${status}${because}`
  return status === 'settled' || status === 'started'
    ? `too late: the call was ${status} already`
    : `it was ${status} before${because}`
}
