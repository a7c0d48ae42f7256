import type { ApprovalResult } from '../../../journal/calls/approval.ts'
import type { Journal } from '../../../journal/journal.ts'
import type { JoinedTransport } from '../../../journal/live/transport-to-join.ts'
import { openJournal } from '../../../journal/open-journal.ts'
import type { Store } from '../../../journal/stores/store.ts'
import type { ActionResult, ThreadAction } from '../protocol.ts'

/** Connects to the other processes of the journal, if they are connected. */
export type Join = () => Promise<JoinedTransport | undefined>

/** Approves, denies, interrupts and switches branches in a journal. The journal is opened for writing only with the first action. */
export class JournalActions {
  readonly #openStore: () => Promise<Store>
  readonly #join: Join
  #journal: Promise<Journal> | undefined

  /** `openStore` opens an existing journal of the current version, so that opening it creates and changes nothing. */
  constructor(openStore: () => Promise<Store>, join: Join) {
    this.#openStore = openStore
    this.#join = join
  }

  async act(name: string, action: ThreadAction): Promise<ActionResult> {
    const thread = (await this.#open()).thread(name)
    if (action.do === 'interrupt') {
      const { isInterrupted, turn } = await thread.interrupt(
        action.reason,
        action.turn === undefined ? {} : { turn: action.turn },
      )
      if (isInterrupted) return { message: `turn ${turn} is being interrupted` }
      return {
        message:
          turn === undefined
            ? 'no turn is running'
            : `nothing was done: turn ${turn} is running, or is already being interrupted`,
      }
    }
    if (action.do === 'switch') {
      await thread.switch(action.branch)
      return { message: `branch ${action.branch} is the current one` }
    }
    const verdict =
      action.do === 'approve' ? await thread.approve(action.call) : await thread.deny(action.call, action.reason)
    return { message: describeDecision(verdict) }
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
    return openJoined(await this.#openStore(), this.#join)
  }
}

/** Opens a journal that tells the processes of its store at once what is written, so that they do not find it only by polling. */
export async function openJoined(store: Store, join: Join): Promise<Journal> {
  const live = await join()
  const journal = await openJournal(store, { telemetry: false, ...(live && { live }) })
  await live?.tried()
  return journal
}

/** Of two contrary decisions the first one counts. */
export function describeDecision({ isFirst, status, reason, input }: ApprovalResult): string {
  const changed = input === undefined ? '' : ' with changed input'
  const because = `${changed}${reason === undefined ? '' : `: ${reason}`}`
  if (isFirst) return `${status}${because}`
  return status === 'settled' || status === 'started'
    ? `too late: the call was already ${status}`
    : `it was already ${status}${because}`
}
