import { lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isRecord } from '../../../core/conversation.ts'
import { readRegularFile } from '../../files/regular-file.ts'
import { peekAt } from '../../peek.ts'
import type { Program, RecordedOwner } from '../../system.ts'

/**
 * Claude Code opens a session, appends to it and closes it again for every record. Since 2.1 each process records its
 * session; an older one is recognised by its working directory, which names the folder of its sessions.
 */
export const claudeCodeProgram: Program = {
  processes: [{ names: ['claude', '@anthropic-ai/claude-code', '@anthropic-ai/claude-agent-sdk'], worksIn }],
  owners,
}

function worksIn(path: string): (folder: string) => boolean {
  const slug = projectOf(path)
  const recorded = folderIn(path)
  return folder => folder === recorded || (slug !== undefined && isSlugOf(slug, folder))
}

/** Every character except ASCII letters and digits becomes a dash; a long name is cut, and a hash follows. */
function isSlugOf(slug: string, folder: string): boolean {
  const whole = folder.replace(/[^a-zA-Z0-9]/g, '-')
  return slug === whole || (whole.length > slugMax && slug.startsWith(whole.slice(0, slugMax)))
}

const slugMax = 200

/** The working directory from one of its first records. */
function folderIn(path: string): string | undefined {
  try {
    const text = /"cwd":("(?:[^"\\]|\\.)*")/.exec(peekAt(path).headText())?.[1]
    return text === undefined ? undefined : (JSON.parse(text) as string)
  } catch {
    return undefined
  }
}

/** The records of the program's processes: `sessions/<pid>.json` in its own folder. */
function owners(path: string): RecordedOwner[] {
  const root = rootOf(path)
  if (root === undefined) return []
  const registry = join(root, 'sessions')
  return namesIn(registry).flatMap((name): RecordedOwner[] => {
    const pid = Number(/^(\d+)\.json$/.exec(name)?.[1])
    const record = pid > 0 ? recordIn(join(registry, name)) : undefined
    if (typeof record?.sessionId !== 'string') return []
    const start = typeof record.procStart === 'string' ? { start: record.procStart } : {}
    return [{ pid, ...start, isThis: record.sessionId === sessionOf(path) }]
  })
}

/** The session of a file: the file itself, or the session whose folder contains an agent's file. */
function sessionOf(path: string): string {
  const folder = dirname(path)
  return basename(folder) === 'subagents' ? basename(dirname(folder)) : basename(path, '.jsonl')
}

/** The folder of the program, and the project's folder in it: `<root>/projects/<slug>/...`. */
function rootOf(path: string): string | undefined {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    if (basename(folder) === 'projects') return dirname(folder)
  return undefined
}

function projectOf(path: string): string | undefined {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    if (basename(dirname(folder)) === 'projects') return basename(folder)
  return undefined
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function recordIn(path: string): Record<string, unknown> | undefined {
  try {
    if (!lstatSync(path).isFile()) return undefined
    const value: unknown = JSON.parse(readRegularFile(path).toString())
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
