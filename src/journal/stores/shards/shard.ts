import { AntiphonError } from '../../../core/errors.ts'
import type { Queryable } from '../postgres/connect.ts'
import { openPostgres, type PostgresOptions, type PostgresStore } from '../postgres/store.ts'

/** The databases of a journal, in an order that never changes: new ones are added at the end. */
export type ShardList = readonly (string | { readonly pool: Queryable })[]

/** One database, opened when it is first used. If that fails, the next use tries again. */
export class Shard {
  readonly number: number
  readonly #open: () => Promise<PostgresStore>
  readonly #size: number
  #opening: Promise<PostgresStore> | undefined
  #opened: PostgresStore | undefined
  #isClosed = false

  constructor(location: ShardList[number], number: number, size: number, options: PostgresOptions) {
    this.number = number
    this.#size = size
    this.#open = () => openPostgres(location, options, true)
  }

  /** The store, if it is open. */
  get opened(): PostgresStore | undefined {
    return this.#opened
  }

  store(): Promise<PostgresStore> {
    if (this.#isClosed && !this.#opening)
      return Promise.reject(new AntiphonError('journal-closed', 'the journal is closed', { hint: 'open it again' }))
    this.#opening ??= this.#openChecked().catch(error => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  /** Closing a shard that was never opened does not open it. */
  async close(): Promise<void> {
    this.#isClosed = true
    const store = await this.#opening?.catch(() => undefined)
    await store?.close()
  }

  async #openChecked(): Promise<PostgresStore> {
    const store = await this.#open()
    try {
      const mark = await store.shard.mark()
      if (mark && mark.number !== this.number) throw wrongShard(mark.number, this.number)
      if (mark && mark.settled > this.#size) throw tooFew(mark.settled, this.#size)
      this.#opened = store
      return store
    } catch (error) {
      await store.close()
      throw error
    }
  }
}

export const wrongShard = (found: number, number: number): AntiphonError =>
  new AntiphonError('wrong-shard', `shard ${number} of the list is the database that was shard ${found} before`, {
    hint: 'keep the order of the list, name each database once, and add new ones at the end',
  })

export const tooFew = (known: number, size: number): AntiphonError =>
  new AntiphonError('wrong-shard', `the journal has ${known} shards, and the list has ${size}`, {
    hint: 'open the journal with the complete list of its shards',
  })
