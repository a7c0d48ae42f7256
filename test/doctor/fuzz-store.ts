import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type DoctorResult, examineStores } from '../../src/doctor/doctor.ts'
import { mutateStore } from '../fuzz/mutate-store.ts'
import { isRaw } from '../fuzz/runs.ts'
import { Random } from '../laws/random.ts'
import { all, bytesOf, inFolder, type Subject, state } from './contract.ts'

export interface StoreCase {
  readonly states: readonly string[]
  /** What went against the promises. */
  readonly faults: readonly string[]
}

/** One store with changes to its structure: examined, repaired, and examined again. */
export function tryStore(subject: Subject, seed: number): Promise<StoreCase> {
  const random = new Random(seed)
  return inFolder(async folder => {
    const root = dirname(folder)
    const faults: string[] = []
    const path = await (random.chance(0.5) ? subject.healthy(seed, folder) : subject.corrupted(seed, folder))
    const done = mutateStore(path, random)
    const beside = join(root, 'beside')
    mkdirSync(beside)
    writeFileSync(join(beside, 'chat.json'), '[{"role":"tool"}]')
    const outside = bytesOf(beside)
    const before = bytesOf(folder, true)

    const options = { systems: [subject.system] }
    const found = await all(examineStores([path], options))
    faults.push(
      ...messagesOf(found)
        .filter(isBad)
        .map(message => `looking says: ${message}`),
    )
    if (!isDeepStrictEqual(bytesOf(folder, true), before)) faults.push('looking changed something')

    const healed = await all(examineStores([path], { ...options, fix: true, backups: join(root, 'backups') }))
    const said = messagesOf(healed)
    faults.push(...said.filter(isBad).map(message => `healing says: ${message}`))
    if (!isDeepStrictEqual(bytesOf(beside), outside)) faults.push('healing changed something outside')

    const again = await all(examineStores([path], options))
    const failed = new Set(healed.flatMap(one => (one.kind === 'conversation' && one.failure ? [one.id] : [])))
    for (const one of again)
      if (one.kind === 'conversation' && one.examination.storeRepair && !failed.has(one.id))
        faults.push(`still to be healed: ${one.id}: ${one.examination.repairs.map(({ rule }) => rule)}`)
    const states = healed.map(one => (one.kind === 'conversation' && one.failure ? 'failed' : state(one)))
    return { states, faults: faults.map(fault => `${subject.system.id}, seed ${seed}, ${done.join('; ')}: ${fault}`) }
  })
}

const messagesOf = (visits: readonly DoctorResult[]): string[] =>
  visits.flatMap(one =>
    one.kind === 'unreadable'
      ? [one.error.message]
      : one.kind === 'conversation' && one.failure
        ? [one.failure.message]
        : [],
  )

/** More than a line, or an unexpected message. */
const isBad = (message: string): boolean => message.includes('\n') || message === '' || isRaw(message)
