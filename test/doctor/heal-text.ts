import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ConversationResult, examineStores } from '../../src/doctor/doctor.ts'
import type { Examination, System } from '../../src/doctor/system.ts'
import { inFolder } from './contract.ts'

/** What became of a file with this text. */
export interface HealedText {
  readonly text: string
  readonly examination: Examination
  /** The rules that were broken, with their places. */
  readonly broken: readonly string[]
}

/** Repairs a file of one conversation, and returns the result. Throws the error of the doctor if it fails. */
export async function healText(system: System, name: string, text: string | Buffer): Promise<HealedText> {
  return inFolder(async folder => {
    const path = join(folder, name)
    writeFileSync(path, text)
    const visits: ConversationResult[] = []
    for await (const one of examineStores([path], {
      systems: [system],
      fix: true,
      backups: join(folder, '..', 'backups'),
    })) {
      if (one.kind === 'unreadable') throw one.error
      if (one.kind === 'conversation') visits.push(one)
    }
    const [{ examination, failure }] = visits
    if (failure) throw failure
    const broken = examination.repairs.map(({ rule, at }) => `${rule} at ${at}`)
    return { text: readFileSync(path, 'utf8'), examination, broken }
  })
}
