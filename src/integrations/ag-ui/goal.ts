import type { RunAgentInput } from '@ag-ui/core'
import type { ThreadView, TurnEnding } from './thread-view.ts'

/** What a run is about: the words of its client that wait, and the turn that it answers or finds at work. */
export class Goal {
  readonly #view: ThreadView
  readonly #inputs: readonly number[]
  readonly #turn: number | undefined

  /** `inputs` are those that were just taken in, `turn` the one that ran or waited when the client came. */
  constructor(view: ThreadView, { messages }: RunAgentInput, inputs: readonly number[], turn: number | undefined) {
    const own = new Set(messages.map(({ id }) => id))
    const isOwn = (input: { seq: number }): boolean => view.inputMessages(input).some(({ id }) => own.has(id))
    const waiting = view.state.waiting.filter(isOwn).map(({ seq }) => seq)
    this.#view = view
    this.#inputs = [...new Set([...inputs, ...waiting])]
    this.#turn = turn
  }

  /** Whether something of it was not said yet. */
  get isWaiting(): boolean {
    return this.#inputs.some(seq => this.#view.turnOf(seq) === undefined)
  }

  /** Whether nothing is left to do: all of it was said, and its turns are over or wait for somebody outside. Without a goal there always may be. */
  get isReached(): boolean {
    const { turn } = this.#view.state
    if (this.isWaiting || this.#turns.length === 0) return false
    return !turn || turn.parked || !this.#turns.includes(turn.turn)
  }

  /** Whether the turn that is there now is one of its own. */
  get isCurrent(): boolean {
    const { turn } = this.#view.state
    return turn !== undefined && (this.#turns.length === 0 || this.#turns.includes(turn.turn))
  }

  /** How the last of its turns ended; without any, the last turn of the thread that ended behind `since`. */
  ending(since: number): TurnEnding | undefined {
    const last = this.#turns.length > 0 ? Math.max(...this.#turns) : this.#view.state.ended?.turn
    if (last === undefined || (this.#turns.length === 0 && last <= since)) return undefined
    return this.#view.endingOf(last)
  }

  get #turns(): number[] {
    const said = this.#inputs.flatMap(seq => this.#view.turnOf(seq) ?? [])
    return this.#turn === undefined ? said : [this.#turn, ...said]
  }
}
