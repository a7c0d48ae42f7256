import { lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isRecord } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { fileError } from '../../files/file-error.ts'
import { readRegularFile } from '../../files/regular-file.ts'
import { schemaText } from '../../schema-text.ts'
import { type Database, openDatabase } from '../../sqlite.ts'
import type { ConversationStore, RecordedOwner, System } from '../../system.ts'
import { openclawPlaces } from '../openclaw/index.ts'
import { examineTranscript } from './examine-transcript.ts'
import { UnpackedText } from './transcript.ts'

/** Sessions of OpenClaw since 2026.7.2: transcripts in the database of an agent. */
export const openclawSqlite: System = {
  id: 'openclaw-sqlite',
  title: 'OpenClaw database',
  places: openclawPlaces,
  recognises(peek) {
    const schema = schemaText(peek)
    return tables.every(table => schema.includes(table))
  },
  program: { processes: [{ names: ['openclaw', 'openclaw-gateway'], holds: () => true }], owners },
  async open(path) {
    const database = openDatabase(path, [...tables, ...others], {
      isOwn: name => /^(session|transcript)_/.test(name),
      changed: { session_windows: ['transcript_updated_at'], session_nodes: [] },
    })
    try {
      mustBeKnown(database, path)
      return storeOf(path, database)
    } catch (error) {
      database.close()
      throw error
    }
  },
}

const tables = ['transcript_events', 'transcript_event_identities', 'session_nodes']
const others = ['transcript_rewrite_watermarks', 'session_windows', 'session_transcript_index_state'].concat(
  'session_transcript_active_events',
  'session_transcript_fts_rows',
)

function mustBeKnown({ look }: Database, path: string): void {
  const version = Number(look.prepare('pragma user_version').get()?.user_version)
  if (version < versionMin || version > versionMax)
    throw fileError(
      path,
      `its schema version ${version} is not one of the known ones (${versionMin} to ${versionMax})`,
      'update antiphon',
    )
}

const [versionMin, versionMax] = [4, 23]

/** The session that each conversation continues. Earlier ones are not sent, and archived ones have no events. */
function storeOf(path: string, database: Database): ConversationStore {
  const unpacked = new UnpackedText(path, statSync(path).size)
  return {
    *conversations() {
      const sessions = database.look
        .prepare(
          `select cast(current_session_id as text) as id, cast(session_key as text) as title from session_nodes
           where current_session_id in (select session_id from transcript_events where seq = 0) order by session_key`,
        )
        .all()
      for (const { id, title } of sessions) {
        const session = String(id)
        yield { id: session, title: String(title), examine: () => examineTranscript(database, session, path, unpacked) }
      }
    },
    close: () => database.close(),
  }
}

/** The locks of the gateway, which owns the whole state folder, with its process and when that started. */
function owners(path: string): RecordedOwner[] {
  const state = dirname(dirname(dirname(dirname(resolve(path)))))
  return locksIn(join(state, 'tmp', `openclaw-${process.getuid?.() ?? ''}`)).flatMap(lock => {
    const pid = Number(lock.pid)
    const start = lock.startTime ?? lock.starttime
    return pid > 0
      ? [{ pid, ...(start === undefined ? {} : { start: String(start) }), isThis: true, isCurrent: true }]
      : []
  })
}

function locksIn(folder: string): Record<string, unknown>[] {
  try {
    return readdirSync(folder)
      .map(name => join(folder, name))
      .filter(file => file.endsWith('.lock') && lstatSync(file).isFile())
      .map(file => tryParseJson(readRegularFile(file).toString()))
      .filter(isRecord)
  } catch {
    return []
  }
}
