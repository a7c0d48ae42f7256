import { AntiphonError } from '../../core/errors.ts'
import { present } from '../../core/invariant.ts'
import { assertName } from '../assert-name.ts'
import type { Command } from '../decide.ts'
import { digestOf } from '../digest/digest.ts'
import type { InputSubmit } from '../entry.ts'
import { KnownInputError, type Log } from '../log.ts'
import type { KnownInput, Write } from '../stores/store.ts'

/** Confirms that the input is stored. `seq` is its sequence number in the thread. */
export interface Receipt {
  readonly thread: string
  readonly key?: string
  readonly seq: number
}

/** An input that is stored once per key, if it has one. */
export class KeyedInput {
  readonly entry: InputSubmit
  readonly guard: Pick<Write, 'input'>
  readonly #log: Log
  readonly #digest: string

  constructor(log: Log, key: string | undefined, input: Omit<InputSubmit, 'kind' | 'key'>) {
    if (key !== undefined) assertName(key, 'the key of an input')
    this.#log = log
    this.entry = { kind: 'input-submit', ...(key === undefined ? {} : { key }), ...input }
    this.#digest = digestOf(input.content)
    this.guard = key === undefined ? {} : { input: { key, digest: this.#digest } }
  }

  /** Runs a command whose last entry is the input. */
  async submitBy(command: Command): Promise<Receipt> {
    try {
      const { entries } = await this.#log.command(() => command, this.guard)
      return this.receipt(present(entries.at(-1), 'a command with an input writes the input').seq)
    } catch (error) {
      if (error instanceof KnownInputError) return this.known(error.known)
      throw error
    }
  }

  receipt(seq: number): Receipt {
    const { key } = this.entry
    return { thread: this.#log.name, ...(key === undefined ? {} : { key }), seq }
  }

  /** The receipt of the input that was submitted with the key before. */
  known({ digest, seq }: KnownInput): Receipt {
    if (digest === this.#digest) return this.receipt(seq)
    throw new AntiphonError('key-taken', `another input was submitted with the key ${this.entry.key}`, {
      hint: 'use a new key for each new input',
      thread: this.#log.name,
      seq,
    })
  }
}
