import type { Pool, PoolClient } from 'pg'
import { AntiphonError } from '../../../core/errors.ts'
import type { SessionAttrs } from './hosts.ts'
import { role } from './statements.ts'

/** Lends connections. */
export interface Lender {
  connect(): Promise<PoolClient>
  /** A connection failed, so its server may have another role now. */
  failed(): void
  end(): Promise<void>
}

/** The role of a server. `timeline` is set only if it accepts writes. */
interface Role {
  readonly pool: Pool
  readonly timeline?: number
}

/**
 * One of several servers: the primary, or for reading any other. The role of a server is asked for on every new connection, and all servers are
 * asked when one has failed. Of two that accept writes, the one with the higher timeline was promoted last; a server with a lower one than was
 * ever seen here is never used again.
 */
export class FailoverPool implements Lender {
  readonly #pools: readonly Pool[]
  readonly #attrs: SessionAttrs
  readonly #waitMs: number
  readonly #checked = new WeakSet<PoolClient>()
  #chosen: Promise<Pool> | undefined
  #timeline = 0

  constructor(pools: readonly Pool[], attrs: SessionAttrs, waitMs: number) {
    this.#pools = pools
    this.#attrs = attrs
    this.#waitMs = waitMs
    // A connection that dies while it is idle may be the only sign of a server that restarts as a standby.
    for (const pool of pools) pool.on('error', () => this.failed())
  }

  async connect(): Promise<PoolClient> {
    this.#chosen ??= this.#choose()
    const chosen = this.#chosen
    try {
      const pool = await chosen
      const client = await pool.connect()
      if (!this.#checked.has(client)) await this.#check(pool, client)
      return client
    } catch (error) {
      if (this.#chosen === chosen) this.#chosen = undefined
      throw error
    }
  }

  failed(): void {
    this.#chosen = undefined
  }

  async end(): Promise<void> {
    await Promise.all(this.#pools.map(pool => pool.end()))
  }

  async #choose(): Promise<Pool> {
    const answers = await Promise.allSettled(this.#pools.map(pool => this.#ask(pool)))
    const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
    const primary = found
      .filter(({ timeline }) => timeline !== undefined)
      .sort((one, other) => (other.timeline ?? 0) - (one.timeline ?? 0))[0]
    const standby = found.find(({ timeline }) => timeline === undefined)
    const best = { any: found[0], 'prefer-standby': standby ?? primary, standby, 'read-only': standby }
    const chosen = this.#attrs in best ? best[this.#attrs as keyof typeof best] : primary
    if (chosen && this.#suits(chosen)) return chosen.pool
    const failure = answers.find(answer => answer.status === 'rejected')
    throw found.length > 0 || !failure ? notThePrimary() : failure.reason
  }

  async #ask(pool: Pool): Promise<Role> {
    // A host that drops all packets must not keep the others waiting.
    const connecting = pool.connect()
    let timer: ReturnType<typeof setTimeout> | undefined
    const tooLate = new Promise<never>((_, reject) => {
      const error = Object.assign(new Error('the server did not answer in time'), { code: 'ETIMEDOUT' })
      timer = setTimeout(() => reject(error), this.#waitMs)
    })
    try {
      const asking = connecting.then(client => this.#roleOf(pool, client).finally(() => client.release()))
      return await Promise.race([asking, tooLate])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Throws if the server does not have the wanted role. The connection is given back then: its pool would count it as used for ever. */
  async #check(pool: Pool, client: PoolClient): Promise<void> {
    try {
      if (!this.#suits(await this.#roleOf(pool, client))) throw notThePrimary()
    } catch (error) {
      this.#checked.delete(client)
      client.release(true)
      throw error
    }
  }

  async #roleOf(pool: Pool, client: PoolClient): Promise<Role> {
    const [row] = (await client.query(role)).rows as readonly {
      standby: boolean
      read_only: string
      wal: string | null
    }[]
    this.#checked.add(client)
    if (!row || row.standby || row.read_only === 'on' || row.wal === null) return { pool }
    // The first eight digits of the name of a segment.
    const timeline = Number.parseInt(row.wal.slice(0, 8), 16)
    return { pool, timeline }
  }

  /** Remembers the highest timeline. */
  #suits({ timeline }: Role): boolean {
    if (timeline !== undefined && timeline < this.#timeline) return false
    this.#timeline = Math.max(this.#timeline, timeline ?? 0)
    if (this.#attrs === 'standby' || this.#attrs === 'read-only') return timeline === undefined
    return timeline !== undefined || this.#attrs === 'any' || this.#attrs === 'prefer-standby'
  }
}

/** The error with which a standby refuses a write, so that callers wait for a primary. */
const notThePrimary = (): Error =>
  Object.assign(new Error('none of the servers accepts writes'), { code: '25006', severity: 'ERROR' })

/** Which server a journal uses unless its connection string says otherwise. A journal that writes needs the primary in any case. */
export function sessionAttrsFor(attrs: SessionAttrs | undefined, readOnly: boolean): SessionAttrs {
  if (readOnly) return attrs ?? 'any'
  if (attrs === undefined || attrs === 'any' || attrs === 'read-write' || attrs === 'primary') return 'read-write'
  throw new AntiphonError(
    'journal-unreachable',
    `target_session_attrs=${attrs} excludes the server that accepts writes`,
    {
      hint: 'leave it out, or open the journal with readOnly',
    },
  )
}
