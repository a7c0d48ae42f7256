import { readdirSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { asRecord } from '../../core/conversation.ts'
import { tryParseJson } from '../../core/json/try-parse-json.ts'
import { mustBeNoLink } from '../files/no-links.ts'
import { readRegularFile } from '../files/regular-file.ts'
import { peekAt } from '../peek.ts'
import { openDatabase } from '../sqlite.ts'
import type { Drawing } from '../system.ts'
import { openRollout } from '../systems/codex/rollout-file.ts'
import { piHeader } from '../systems/pi/index.ts'

interface StoredSession {
  readonly system: string
  readonly path: string
  readonly id: string
}

/** The folder that a session works in, if its store says so. */
export async function workingDirectory(session: StoredSession, drawing: Drawing): Promise<string | undefined> {
  const own = await readers[session.system]?.(session)
  const found = own ?? recordedFolder(drawing)
  return typeof found === 'string' && isAbsolute(found) ? found : undefined
}

const readers: Readonly<Record<string, ((session: StoredSession) => Promise<unknown>) | undefined>> = {
  codex: async ({ path }) => {
    const file = await openRollout(path)
    try {
      for (const { bytes } of file.lines()) return asRecord(asRecord(tryParseJson(bytes.toString())).payload).cwd
      return undefined
    } finally {
      file.close()
    }
  },
  pi: async ({ path }) => piHeader(peekAt(path))?.cwd,
  openclaw: async ({ path }) => piHeader(peekAt(path))?.cwd,
  opencode: async ({ path, id }) =>
    statSync(path).isDirectory() ? folderInFiles(path, id) : folderInDatabase(path, id),
  'gemini-cli': async ({ path }) => projectRoot(path),
}

function folderInDatabase(path: string, id: string): unknown {
  const database = openDatabase(path, ['session'])
  try {
    return database.look.prepare('select directory from session where id = ?').get(id)?.directory
  } finally {
    database.close()
  }
}

function folderInFiles(path: string, id: string): unknown {
  for (const project of readdirSync(join(path, 'session'))) {
    const value = tryParseJson(tryRead(join(path, 'session', project, `${id}.json`)))
    const { directory } = asRecord(value)
    if (directory !== undefined) return directory
  }
  return undefined
}

/** A file in the folder of the project, above its chats. */
function projectRoot(path: string): string | undefined {
  for (let folder = dirname(path), up = 0; up < 3; folder = dirname(folder), up++) {
    const root = tryRead(join(folder, '.project_root')).trim()
    if (root !== '') return root
  }
  return undefined
}

/** Programs such as Claude Code write it into every record. */
function recordedFolder({ records }: Drawing): unknown {
  for (const { text } of records) {
    const value = asRecord(tryParseJson(text))
    const found = value.cwd ?? value.working_dir ?? value.directory
    if (found !== undefined) return found
  }
  return undefined
}

/** No link is followed: it may lead out of the store. */
function tryRead(file: string): string {
  try {
    mustBeNoLink(file)
    return readRegularFile(file).toString()
  } catch {
    return ''
  }
}
