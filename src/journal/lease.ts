import { AntiphonError } from '../core/errors.ts'
import type { Clock } from './clock.ts'
import { Heartbeat } from './heartbeat.ts'
import { fenced, type Log } from './log.ts'
import { isErased, isTurnOver } from './turn-errors.ts'

export interface LeaseOptions {
  readonly log: Log
  readonly clock: Clock
  readonly turn: number
  /** The fencing token: every write of the owner carries it, and the store refuses writes with an older one. */
  readonly epoch: number
  readonly leaseMs: number
  /** Called after entries were written, by this process or by another one. */
  readonly onChange: () => void
  /** Called when the lease is released or lost, with the reason if there is one. It may be called more than once. */
  readonly onRelease: (reason: unknown) => void
}

/** The ownership of one turn by this process. It renews itself until it is released, or lost to another owner. */
export class Lease {
  readonly #options: LeaseOptions
  readonly #abort = new AbortController()
  readonly #heartbeat: Heartbeat
  readonly #unsubscribe: () => void
  #lost: AntiphonError | undefined
  #outage: AntiphonError | undefined
  #isAbandoned = false

  constructor(options: LeaseOptions) {
    const { log, clock, epoch, leaseMs } = options
    this.#options = options
    const leave = log.live.join()
    const stopListening = log.listen(entries => {
      if (entries.length > 0) this.check()
      // This process submitted input. It may be an interruption, so it is read now, not at the next heartbeat.
      else void log.catchUp().catch(error => isErased(error) && this.#lose(error))
    })
    this.#unsubscribe = () => {
      stopListening()
      leave()
    }
    this.#heartbeat = new Heartbeat(clock, {
      leaseMs,
      renew: () => log.renew(epoch, leaseMs),
      poll: () => log.catchUp(),
      isTold: () => log.live.isConnected,
      lost: erased => this.#lose(erased ?? fenced(log.name, epoch, Math.max(log.state.epoch, epoch + 1))),
    })
  }

  /** Aborted when the turn must stop: it is interrupted, ended, or owned by another process. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Whether the turn is running and this process owns it, as far as is known here. */
  get isHeld(): boolean {
    const { log, turn, epoch } = this.#options
    const { state } = log
    return !this.#isAbandoned && state.turn?.turn === turn && state.epoch === epoch && !state.turn.parked
  }

  /** The error of the last write, if it could not reach the store. */
  get outage(): AntiphonError | undefined {
    return this.#outage
  }

  /**
   * Releases the turn without a write if the error is that the journal could not be reached. The turn itself has not failed: when the
   * lease has ended, the next owner continues it. Returns false for any other error.
   */
  abandonAfterOutage(error: unknown): boolean {
    if (!isOutage(error)) return false
    this.#isAbandoned = true
    this.release()
    return true
  }

  /** Compares the lease with the state of the thread. */
  check(): void {
    const { log, epoch, onChange } = this.#options
    if (log.state.epoch > epoch) this.#lose(fenced(log.name, epoch, log.state.epoch))
    else onChange()
  }

  /** Runs a write of the owner. Once a write was refused because the thread has another owner or was erased, all later ones are refused here. */
  async write<T>(write: () => Promise<T>): Promise<T> {
    if (this.#lost) throw this.#lost
    try {
      const written = await write()
      this.#outage = undefined
      return written
    } catch (error) {
      if (isTurnOver(error)) this.#lose(error)
      this.#outage = isOutage(error) ? error : undefined
      throw error
    }
  }

  /** Aborts the signal. The lease is kept, so that the turn can still be ended. */
  abort(reason: AntiphonError): void {
    this.#abort.abort(reason)
  }

  /** Stops the heartbeat. The write that ended or parked the turn gave the lease back to the store. */
  release(): void {
    this.#options.onRelease(this.#lost ?? this.signal.reason)
    this.#unsubscribe()
    this.#heartbeat.stop()
  }

  #lose(reason: AntiphonError): void {
    if (reason.code !== 'turn-over') this.#lost ??= reason
    this.#abort.abort(reason)
    this.release()
  }
}

const isOutage = (error: unknown): error is AntiphonError =>
  AntiphonError.is(error) && error.code === 'journal-unreachable'
