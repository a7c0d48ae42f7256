import { fileError } from '../files/file-error.ts'
import { isUrl } from '../peek.ts'
import type { System } from '../system.ts'
import { connect, hasTables } from './connection.ts'

/**
 * The systems that can have a store at a path. At the address of a database, only those whose tables exist there.
 * Throws a one-line error if there are none, or if the server cannot be asked.
 */
export async function systemsAt(path: string, systems: readonly System[]): Promise<readonly System[]> {
  const known = systems.filter(({ tables }) => tables !== undefined)
  // The only one says itself what it needs.
  if (!isUrl(path) || known.length < 2) return systems
  const connection = await connect(path)
  try {
    const found: System[] = []
    for (const system of known) if (await hasTables(connection, system.tables ?? [])) found.push(system)
    if (found.length > 0) return found
    throw fileError(connection.place, `it has no tables of ${known.map(({ title }) => title).join(' or ')}`)
  } finally {
    await connection.end()
  }
}
