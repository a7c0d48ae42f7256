import { join } from 'node:path'
import { openaiAgentsSqlite } from '../../../../src/doctor/systems/openai-agents-sqlite/index.ts'
import type { Subject } from '../../contract.ts'
import { corrupt } from './corrupt.ts'
import { generate, writeDatabase } from './generate.ts'
import { inDatabase, refusals } from './helpers.ts'
import { requestsOf } from './request.ts'

export const subject: Subject = {
  system: openaiAgentsSqlite,
  tag: 'DQ',
  healthy: (seed, folder) => written(folder, generate(seed), seed),
  corrupted: (seed, folder) => written(folder, corrupt(seed, generate(seed)), seed),
  refusals,
  words: path => requestsOf(path).flatMap(({ plain }) => plain.flatMap(item => wordsIn(item))),
}

function written(folder: string, store: ReturnType<typeof generate>, seed: number): string {
  const path = join(folder, 'conversations.db')
  writeDatabase(path, store)
  if (seed % 3 === 0) inDatabase(path, database => database.exec('PRAGMA journal_mode = WAL'))
  return path
}

/** The unique words of an item. */
const wordsIn = (item: unknown): string[] => JSON.stringify(item).match(/\bw\d+\b/g) ?? []
