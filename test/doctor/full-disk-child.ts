import { examineStores } from '../../src/doctor/doctor.ts'
import type { System } from '../../src/doctor/system.ts'

/** Repairs a store in a separate process, and prints the error. */
const [id, path, backups] = process.argv.slice(2)
const exported: Record<string, System> = await import(`../../src/doctor/systems/${id}/index.ts`)
const systems = Object.values(exported).filter(system => system.id === id)
const complaints: string[] = []
for await (const one of examineStores([path], { systems, fix: true, backups })) {
  const error = one.kind === 'unreadable' ? one.error : one.kind === 'conversation' ? one.failure : undefined
  if (error) complaints.push(error.message)
}
console.log(JSON.stringify(complaints))
