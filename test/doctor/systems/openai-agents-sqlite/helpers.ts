import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { type ConversationResult, type DoctorResult, examineStores } from '../../../../src/doctor/doctor.ts'
import { openaiAgentsSqlite } from '../../../../src/doctor/systems/openai-agents-sqlite/index.ts'
import { inFolder } from '../../contract.ts'
import { strictly } from '../../strictly.ts'
import { writeDatabase } from './generate.ts'
import { pythonJson } from './python-json.ts'
import { requestsOf } from './request.ts'

/** What the API would answer to releases of the SDK that send the items as they are, and to those that filter them. */
export function refusals(path: string): string[] {
  return requestsOf(path).flatMap(({ plain, filtered }) =>
    [plain, filtered].flatMap(input => strictly(input, 'openai-responses', 'openai-responses')),
  )
}

export const time = (minute: number): string => `2026-07-01 09:0${minute}:00`

/** A database with one session. */
export const withItems = (items: readonly object[], work: (path: string) => Promise<void>): Promise<void> =>
  inFolder(async folder => {
    const path = join(folder, 'conversations.db')
    const rows = items.map((item, index) => ({ session: 'main', data: pythonJson(item), createdAt: time(index + 1) }))
    writeDatabase(path, { advanced: false, rows })
    await work(path)
  })

/** Adds items to the session, as the SDK would. */
export function add(path: string, items: readonly object[], texts = items.map(pythonJson)): void {
  inDatabase(path, database => {
    const put = database.prepare("INSERT INTO agent_messages (session_id, message_data) VALUES ('main', ?)")
    for (const text of texts) put.run(text)
  })
}

export async function heal(path: string): Promise<ConversationResult[]> {
  const backups = join(path, '..', '..', 'backups')
  const visits = await all(examineStores([path], { systems: [openaiAgentsSqlite], fix: true, backups }))
  expect(visits.flatMap(one => (one.kind === 'conversation' ? (one.failure ?? []) : one))).toEqual([])
  return visits.filter(one => one.kind === 'conversation')
}

export async function all(visits: AsyncIterable<DoctorResult>): Promise<DoctorResult[]> {
  const list: DoctorResult[] = []
  for await (const one of visits) list.push(one)
  return list
}

export const withSample = (name: string, work: (path: string) => Promise<void>): Promise<void> =>
  inFolder(async folder => {
    const path = join(folder, 'conversations.db')
    const sql = readFileSync(new URL(`samples/${name}.sql`, import.meta.url), 'utf8')
    inDatabase(path, database => database.exec(sql))
    await work(path)
  })

export function inDatabase(path: string, work: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(path)
  try {
    work(database)
  } finally {
    database.close()
  }
}
