import { cpSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { loadDumps } from '../../../doctor/chat/sqlite-store.ts'
import { root } from '../../../repository.ts'

/** A store of another system, as it is on disk. */
export interface SampleStore {
  /** The system, and the name of the sample. */
  readonly name: string
  readonly path: string
  readonly state: 'broken' | 'healthy' | 'pending'
}

/** Every sample of every system, copied into a folder: files, folders, and databases made of their statements. */
export function sampleStores(folder: string): SampleStore[] {
  return globSync('test/doctor/systems/*/samples/*', { cwd: root })
    .sort()
    .map(sample => {
      const [, , , system] = sample.split(/[\\/]/)
      const name = basename(sample)
      mkdirSync(join(folder, system), { recursive: true })
      const path = copy(join(root, sample), join(folder, system, name))
      return { name: `${system}/${name}`, path, state: stateOf(`${system}/${name}`) }
    })
}

function stateOf(name: string): SampleStore['state'] {
  // Its history is healed, but it is a request as well, and that declares none of its tools.
  if (name === 'plain/anthropic-healed.json') return 'broken'
  return /broken/.test(name) ? 'broken' : /pending/.test(name) ? 'pending' : 'healthy'
}

function copy(from: string, to: string): string {
  if (!from.endsWith('.sql')) {
    cpSync(from, to, { recursive: true })
    if (statSync(to).isDirectory()) loadDumps(to, '.sqlite')
    return to
  }
  const path = to.replace(/\.sql$/, '.db')
  const database = new DatabaseSync(path)
  database.exec(readFileSync(from, 'utf8'))
  database.close()
  return path
}
