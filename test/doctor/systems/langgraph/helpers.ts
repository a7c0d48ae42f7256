import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { type ConversationResult, type DoctorResult, examineStores } from '../../../../src/doctor/doctor.ts'
import { langgraph } from '../../../../src/doctor/systems/langgraph/index.ts'
import { inFolder } from '../../contract.ts'

export const look = async (path: string): Promise<ConversationResult[]> =>
  (await all(examineStores([path], { systems: [langgraph] }))).filter(one => one.kind === 'conversation')

export async function heal(path: string): Promise<ConversationResult[]> {
  const backups = join(path, '..', '..', 'backups')
  const visits = await all(examineStores([path], { systems: [langgraph], fix: true, backups }))
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
    const path = join(folder, 'checkpoints.db')
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
