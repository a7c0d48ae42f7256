import { restore } from '../../src/doctor/backup/restore.ts'
import { examineStores } from '../../src/doctor/doctor.ts'
import type { System } from '../../src/doctor/system.ts'
import { atEveryChange, doHalf } from './changes.ts'

/** Heals a store, or brings one back, and kills itself in the middle of a change to the disk. */
const [task, id, path, backup, last] = process.argv.slice(2)
const exported: Record<string, System> = await import(`../../src/doctor/systems/${id}/index.ts`)
const systems = Object.values(exported).filter(system => system.id === id)

async function heal(): Promise<void> {
  for await (const one of examineStores([path], { systems, fix: true, backups: backup })) void one
}

async function bringBack(): Promise<void> {
  await restore(backup, systems)
}

await atEveryChange(
  (number, name, args) => {
    if (number < Number(last)) return
    doHalf(name, args)
    process.kill(process.pid, 'SIGKILL')
  },
  task === 'heal' ? heal : bringBack,
)
