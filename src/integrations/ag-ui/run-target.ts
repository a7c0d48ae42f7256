import type { RunAgentInput } from '@ag-ui/core'
import type { ThreadView, TurnEnding } from './thread-view.ts'

/** What a run has to complete: the waiting input of its client, and the turn that was open when the client connected. */
export class RunTarget {
  readonly #view: ThreadView
  readonly #inputs: readonly number[]
  readonly #turn: number | undefined
  /** The head of the thread when the client connected. */
  readonly #since: number

  /** `inputs` were submitted by this run, or by an earlier one if they are not after `since`; `turn` was running or waiting when the client connected. */
  constructor(
    view: ThreadView,
    { messages }: RunAgentInput,
    inputs: readonly number[],
    { turn, since }: { readonly turn: number | undefined; readonly since: number },
  ) {
    const own = new Set(messages.map(({ id }) => id))
    const isOwn = (input: { seq: number }): boolean => view.inputMessages(input).some(({ id }) => own.has(id))
    const waiting = view.state.waiting.filter(isOwn).map(({ seq }) => seq)
    this.#view = view
    this.#inputs = [...new Set([...inputs, ...waiting])]
    this.#turn = turn
    this.#since = since
  }

  /** Whether some of the input is not part of a turn yet. */
  get isWaiting(): boolean {
    return this.#inputs.some(seq => this.#view.turnOf(seq) === undefined)
  }

  /** Whether nothing is left to do: all input is in turns, which have ended or wait for something external. Never true without a target. */
  get isReached(): boolean {
    const { turn } = this.#view.state
    if (this.isWaiting || this.#turns.length === 0) return false
    return !turn || turn.parked || !this.#turns.includes(turn.turn)
  }

  /** Whether the current turn belongs to this run. */
  get isCurrent(): boolean {
    const { turn } = this.#view.state
    return turn !== undefined && (this.#turns.length === 0 || this.#turns.includes(turn.turn))
  }

  /**
   * The current turn, if it belongs to the client of this run, so that it stops when the client disconnects: it answers a message of the client, and
   * the message is new or the turn is one of `owned`, which this run has begun. Without a message the turns that it has begun belong to it.
   */
  ownTurn(owned: ReadonlySet<number>): number | undefined {
    const turn = this.#view.state.turn?.turn
    if (turn === undefined) return undefined
    const isHere = owned.has(turn)
    const isAnswering = (input: number): boolean => (isHere || input > this.#since) && this.#view.turnOf(input) === turn
    const isOwn = this.#inputs.length === 0 ? isHere : this.#inputs.some(isAnswering)
    return isOwn ? turn : undefined
  }

  /** How the last of its turns ended; without any, the last turn of the thread that ended after the turn `since`. */
  ending(since: number): TurnEnding | undefined {
    const turns = this.#turns
    const last = turns.length > 0 ? turns.reduce((one, other) => Math.max(one, other)) : this.#view.state.ended?.turn
    if (last === undefined || (turns.length === 0 && last <= since)) return undefined
    return this.#view.endingOf(last)
  }

  get #turns(): number[] {
    const turns = this.#inputs.flatMap(seq => this.#view.turnOf(seq) ?? [])
    return this.#turn === undefined ? turns : [this.#turn, ...turns]
  }
}
