import { type Journal, openJournal } from '../../../journal/journal.ts'
import type { Store } from '../../../journal/stores/store.ts'
import type { ApprovalResult } from '../../../journal/thread.ts'
import type { Deed, Done } from '../protocol.ts'

/** What acts on a journal. It is opened for writing when it is first needed: whoever only looks, writes nothing. */
export class Hand {
  readonly #openStore: () => Promise<Store>
  #journal: Promise<Journal> | undefined

  /** `openStore` opens a journal that exists, of today's version, so that opening it creates and changes nothing. */
  constructor(openStore: () => Promise<Store>) {
    this.#openStore = openStore
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
    return openJournal(await this.#openStore(), { telemetry: false })
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
