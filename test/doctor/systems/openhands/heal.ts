import { join } from 'node:path'
import { type ConversationResult, type DoctorResult, examineStores } from '../../../../src/doctor/doctor.ts'
import { openhands } from '../../../../src/doctor/systems/openhands/index.ts'
import { inFolder } from '../../contract.ts'
import { filesIn, written } from './folder.ts'
import { branchOf, type Event, type Files } from './view.ts'

export interface Healed {
  readonly visits: readonly DoctorResult[]
  /** The first conversation that was visited. */
  readonly found: ConversationResult
  readonly files: Files
  /** The rules that were broken, in order. */
  readonly rules: readonly string[]
}

/** Repairs a conversation on disk, and returns the result. */
export function healed(files: Files, now = Date.UTC(2026, 10, 15)): Promise<Healed> {
  return inFolder(async folder => {
    const path = written(files, folder)
    const visits = await visitsOf(path, folder, now)
    const found = visits.find(one => one.kind === 'conversation') as ConversationResult
    return { visits, found, files: filesIn(path), rules: found?.examination.repairs.map(({ rule }) => rule) }
  })
}

/** The messages of the doctor for a path that it is asked to repair. */
export async function visitsOf(path: string, folder: string, now = Date.UTC(2026, 10, 15)): Promise<DoctorResult[]> {
  const visits: DoctorResult[] = []
  const options = { systems: [openhands], fix: true, backups: join(folder, '..', 'backups'), now }
  for await (const one of examineStores([path], options)) visits.push(one)
  return visits
}

/** The branch that the program continues, in short: what each event is, and the call that it is about. */
export const told = (files: Files): string[] =>
  branchOf(files).map(({ kind, source, tool_call_id: call }) => {
    const name = kind === 'MessageEvent' ? source : (names[kind] ?? kind)
    return call === undefined ? String(name) : `${name} ${call}`
  })

const names: Readonly<Record<string, string>> = {
  SystemPromptEvent: 'system',
  ActionEvent: 'call',
  ObservationEvent: 'saw',
  AgentErrorEvent: 'error',
  UserRejectObservation: 'rejected',
}

export const eventsIn = (files: Files): Event[] =>
  [...files]
    .filter(([path]) => path.startsWith('events/event-'))
    .map(([, bytes]) => JSON.parse(Buffer.from(bytes).toString()) as Event)

export const baseIn = (files: Files): Record<string, unknown> =>
  JSON.parse(Buffer.from(files.get('base_state.json') ?? []).toString()) as Record<string, unknown>
