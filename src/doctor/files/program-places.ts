import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { sep } from 'node:path'
import type { Examination, System } from '../system.ts'

/** A store, and all systems that the user asked for. */
interface Store {
  readonly address: string
  readonly system: System
  readonly systems: readonly System[]
}

/** Only the system of a program writes where that program keeps its sessions, unless the user has named another one with `--system`. */
export function leftToProgram(found: Examination, { address, system, systems }: Store): Examination {
  const program = found.storeRepair && system.isOfNoProgram ? programAt(address, systems) : undefined
  if (program === undefined) return found
  const { storeRepair: _, ...rest } = found
  const note = `it is where ${program} keeps its sessions, but is not one of them, so it is left alone: copy it elsewhere, or use --system ${system.id}`
  return { ...rest, notes: [...found.notes, note] }
}

/** The title of the program that keeps its sessions at a path: in the home of any user, or where the environment says. */
function programAt(path: string, systems: readonly System[]): string | undefined {
  // Only `--system plain` asks for no program at all.
  if (systems.every(({ isOfNoProgram }) => isOfNoProgram)) return undefined
  const real = slashed(`${realpathSync(path)}${sep}`)
  const other = Object.entries(otherPrograms).find(([place]) => real.includes(`/${place}/`))
  return systems.find(system => isPlaceOf(system, real))?.title ?? other?.[1]
}

/** Places in the working directory do not count: they have common names, such as `memory`. */
function isPlaceOf({ places }: System, real: string): boolean {
  const { env: environment, platform } = process
  const own = places({ home: homedir(), folder: nowhere, environment, platform })
  if (own.some(place => real.startsWith(`${slashed(place)}/`))) return true
  const inHome = platforms.flatMap(platform => places({ home: anyHome, folder: nowhere, environment: {}, platform }))
  return inHome.some(place => {
    const [home, rest] = slashed(place).split(anyHome)
    return home === '' && real.includes(`${rest}/`)
  })
}

const slashed = (path: string): string => path.replaceAll(sep, '/')

const platforms = ['linux', 'darwin', 'win32']
const anyHome = '/any-home'
const nowhere = '/nowhere'

/** Programs that the doctor does not know otherwise, and whose sessions can look like a list of messages. */
const otherPrograms: Readonly<Record<string, string>> = {
  '.continue/sessions': 'Continue',
  '.llxprt/tmp': 'LLxprt Code',
}
