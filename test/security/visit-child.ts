import { examineStores } from '../../src/doctor/doctor.ts'
import { systems } from '../../src/doctor/systems.ts'

/** Looks at stores and heals them, one after the other: a line for each when it begins, and one when it ends. */
const [id, backups, ...paths] = process.argv.slice(2)
const known = systems.filter(system => system.id === id)
const tell = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

for (const path of paths)
  for (const fix of [false, true]) {
    tell({ begun: path, fix })
    const told: string[] = []
    for await (const one of examineStores([path], { systems: known, fix, backups }))
      told.push(
        one.kind === 'unreadable' ? one.error.message : one.kind === 'unrecognised' ? one.path : wordsOf(one.failure),
      )
    tell({ done: path, fix, told })
  }

function wordsOf(failure: Error | undefined): string {
  return failure?.message ?? ''
}
