import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ConversationResult, type DoctorResult, examineStores } from '../../../../src/doctor/doctor.ts'
import { instatic } from '../../../../src/doctor/systems/instatic/index.ts'
import { runSql } from './tables.ts'

/** Makes a database of the statements in a sample. What takes the present time by default gets one of its own. */
export function loadSample(name: string, folder: string): string {
  const path = join(folder, `${name}.db`)
  runSql(path, readFileSync(join(import.meta.dirname, 'samples', `${name}.sql`), 'utf8'))
  runSql(path, "update ai_provider_credentials set created_at = '2026-06-01', updated_at = '2026-06-01'")
  return path
}

/** Examines or repairs a database, and returns all results. */
export async function see(
  path: string,
  options: { fix?: boolean; force?: boolean; backups?: string; now?: number } = {},
): Promise<DoctorResult[]> {
  const visits: DoctorResult[] = []
  for await (const one of examineStores([path], { systems: [instatic], ...options })) visits.push(one)
  return visits
}

export const heal = (path: string, folder: string, now?: number): Promise<DoctorResult[]> =>
  see(path, { fix: true, backups: join(folder, '..', 'backups'), ...(now === undefined ? {} : { now }) })

/** The one chat that was found. */
export function only(visits: readonly DoctorResult[]): ConversationResult {
  const [one] = visits
  if (visits.length !== 1 || one.kind !== 'conversation') throw new Error(`not one chat: ${JSON.stringify(visits)}`)
  return one
}

/** The one complaint that was made, as it is printed. */
export function complaint(visits: readonly DoctorResult[]): string {
  const [one] = visits
  const error = one?.kind === 'unreadable' ? one.error : one?.kind === 'conversation' ? one.failure : undefined
  if (visits.length !== 1 || !error) throw new Error(`not one complaint: ${JSON.stringify(visits)}`)
  return error.message
}

export const rulesOf = ({ examination: { repairs, remaining } }: ConversationResult): string[] => [
  ...repairs.map(({ rule, at }) => `${rule} at ${at}`),
  ...remaining.map(({ rule, at, severity }) => `${severity}: ${rule} at ${at}`),
]
