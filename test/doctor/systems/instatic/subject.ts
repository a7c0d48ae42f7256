import { join } from 'node:path'
import { instatic } from '../../../../src/doctor/systems/instatic/index.ts'
import { wordsIn } from '../../../laws/random.ts'
import type { Subject } from '../../contract.ts'
import { refusals } from './accepted.ts'
import { corrupt } from './corrupt.ts'
import { generate, type Store } from './generate.ts'
import { type Row, readRow } from './rows.ts'
import { chatsIn, dumpSqlite, writeSqlite } from './tables.ts'

/** Random chats in a SQLite file, for the contract of all systems. */
export const subject: Subject = {
  system: instatic,
  tag: 'DI',
  healthy: (seed, folder) => write(generate(seed), folder),
  corrupted: (seed, folder) => write(corrupt(seed, generate(seed)), folder),
  refusals: path => [...chatsIn(dumpSqlite(path)).values()].flatMap(refused),
  words: path => [...new Set(wordsIn([...chatsIn(dumpSqlite(path)).values()].flat().map(row => row.content_json)))],
}

function write(store: Store, folder: string): string {
  const path = join(folder, 'site.db')
  writeSqlite(path, store)
  return path
}

/** The mapper of chat completions counts only where it sends what is stored: it splits steps with several calls. */
const refused = (rows: readonly Row[]): string[] =>
  refusals(rows, ['anthropic', 'openai-responses', ...(hasParallelCalls(rows) ? [] : (['openai-chat'] as const))])

function hasParallelCalls(rows: readonly Row[]): boolean {
  let calls = 0
  return rows.map(readRow).some(({ role, blocks }) => {
    calls = role === 'assistant' ? calls + blocks.filter(({ kind }) => kind === 'toolCall').length : 0
    return calls > 1
  })
}
