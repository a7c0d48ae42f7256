import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { OpenCheckpointerOptions } from '../../../src/integrations/langchain/index.ts'
import { type Server, startServer } from '../../journal/stores/postgres-server.ts'

/** Where a checkpointer is opened. */
export interface Place {
  readonly where: string
  readonly options: OpenCheckpointerOptions
}

export type PlaceKind = 'memory' | 'sqlite' | 'postgres'

/** New places of each kind, for the tests of a file; what they need is there before the tests, and gone after them. */
export function newPlaces(kinds: readonly PlaceKind[]): (kind: PlaceKind) => Place {
  let folder = ''
  let server: Server | undefined
  let count = 0
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'antiphon-langchain-'))
    if (kinds.includes('postgres')) server = await startServer()
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return kind => {
    count++
    if (kind === 'memory') return { where: 'memory:', options: {} }
    if (kind === 'sqlite') return { where: `sqlite:${join(folder, `${count}.db`)}`, options: {} }
    return { where: server?.url() ?? '', options: { schema: `Graph "${process.pid}-${count}" $&`, connections: 4 } }
  }
}
