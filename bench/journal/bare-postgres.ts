import type { Pool } from 'pg'
import type { Call, Changes } from './changes.ts'

/** The floor under the journal in PostgreSQL: the same changes in one statement, without a guard. */
export interface BareStatement {
  text: string
  values: unknown[]
}

export function bareStatement(thread: number, changes: Changes): BareStatement {
  const values: unknown[] = [thread]
  const bind = (value: unknown, type: 'bigint' | 'text') => `$${values.push(value)}::${type}`
  const parts = [moved(changes, bind), added(changes, bind), ...called(changes, bind), ...submitted(changes, bind)]
  const named = parts.map((part, index) => `part${index} AS (${part})`)
  return { text: `WITH ${named.join(',\n')}\nSELECT 1`, values }
}

/** The least that can be acknowledged: one row of 1 KiB. */
export const bareInsert = (seq: number, data: string): BareStatement => ({
  text: 'INSERT INTO bare_row (seq, data) VALUES ($1::bigint, $2::text)',
  values: [seq, data],
})

export const makeBareRows = (pool: Pool) =>
  pool.query('CREATE TABLE bare_row (seq bigint PRIMARY KEY, data text NOT NULL)')

type Bind = (value: unknown, type: 'bigint' | 'text') => string

function moved({ head, epoch, standing }: Changes, bind: Bind): string {
  const set = [
    `head = ${bind(head, 'bigint')}`,
    `epoch = ${bind(epoch, 'bigint')}`,
    `updated_at = ${bind(Date.now(), 'bigint')}`,
  ]
  if (standing) {
    set.push(`state = ${bind(standing.state, 'text')}`, `owner = ${bind(standing.owner, 'text')}`)
    set.push(`leased_until = ${bind(standing.leasedUntil, 'bigint')}`, `due_at = ${bind(standing.dueAt, 'bigint')}`)
  }
  return `UPDATE antiphon_thread SET ${set.join(', ')} WHERE thread = $1::bigint`
}

function added({ epoch, entries }: Changes, bind: Bind): string {
  const [number, at] = [bind(epoch, 'bigint'), bind(Date.now(), 'bigint')]
  const rows = entries.map(({ seq, kind, data }) => {
    const columns = [bind(seq, 'bigint'), number, at, '0', '1', bind(kind, 'text'), bind(JSON.stringify(data), 'text')]
    return `($1::bigint, ${columns.join(', ')})`
  })
  return `INSERT INTO antiphon_entry (thread, seq, epoch, at, token, version, kind, data) VALUES ${rows.join(', ')}`
}

function called({ opens, starts, settles }: Changes, bind: Bind): string[] {
  const one = ({ step, index }: Call) =>
    `thread = $1::bigint AND step = ${bind(step, 'bigint')} AND idx = ${bind(index, 'bigint')}`
  return [
    ...opens.map(
      ({ step, index }) =>
        `INSERT INTO antiphon_open_call VALUES ($1::bigint, ${bind(step, 'bigint')}, ${bind(index, 'bigint')}, false)`,
    ),
    ...starts.map(call => `UPDATE antiphon_open_call SET started = true WHERE ${one(call)}`),
    ...settles.map(call => `DELETE FROM antiphon_open_call WHERE ${one(call)}`),
  ]
}

const submitted = ({ head, input }: Changes, bind: Bind): string[] =>
  input
    ? [
        `INSERT INTO antiphon_input (thread, key, digest, seq)
          VALUES ($1::bigint, ${bind(input.key, 'text')}, ${bind(input.digest, 'text')}, ${bind(head, 'bigint')})`,
      ]
    : []
