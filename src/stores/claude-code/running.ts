import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isRecord } from '../../core/conversation.ts'
import { isAlive } from '../../files/is-alive.ts'

/** Whether a living process says, in the folder of the program, that it has a session open. */
export function isRunning(path: string): boolean {
  const root = rootOf(path)
  if (root === undefined) return false
  const registry = join(root, 'sessions')
  return namesIn(registry).some(name => {
    const pid = Number(/^(\d+)\.json$/.exec(name)?.[1])
    return pid > 0 && sessionIn(join(registry, name)) === sessionOf(path) && isAlive(pid)
  })
}

/** The session that a file belongs to: itself, or that of the folder in which an agent's file stands. */
function sessionOf(path: string): string {
  const folder = dirname(path)
  return basename(folder) === 'subagents' ? basename(dirname(folder)) : basename(path, '.jsonl')
}

function rootOf(path: string): string | undefined {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    if (basename(folder) === 'projects') return dirname(folder)
  return undefined
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function sessionIn(path: string): unknown {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isRecord(value) ? value.sessionId : undefined
  } catch {
    return undefined
  }
}
