import type { PostgresRow } from './rows.ts'

/** Settings of the server with which acknowledged writes may be lost. */
export function doubtsOf(settings: PostgresRow = {}, failsOver = false): string[] {
  const { fsync, synchronous_commit: commit, synchronous_standby_names: standbys, server_encoding: encoding } = settings
  const doubts: string[] = []
  if (fsync === 'off') doubts.push('fsync is off: a crash of the machine may destroy the journal')
  if (commit === 'off') doubts.push('synchronous_commit is off: a crash may lose the last acknowledged writes')
  if (failsOver && commit === 'local')
    doubts.push('synchronous_commit is local: a failover may lose the last acknowledged writes')
  if (failsOver && standbys === '')
    doubts.push('synchronous_standby_names is empty: a failover may lose the last acknowledged writes')
  if (typeof encoding === 'string' && !['UTF8', 'SQL_ASCII'].includes(encoding))
    doubts.push(`the encoding of the database is ${encoding}: text with characters outside it is refused`)
  return doubts
}
