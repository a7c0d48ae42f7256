import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { asRecord } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { fileError } from '../../files/file-error.ts'
import { openDatabase } from '../../sqlite.ts'
import { createFile } from '../create-file.ts'
import type { MovedSession } from '../moved-session.ts'
import type { MovePlan, MoveTarget } from '../target.ts'
import { type OpencodeModel, type OpencodeSession, opencodeSession } from './opencode-records.ts'

/**
 * opencode: rows of its database. If it has none yet, or one with other columns, a file that its own import command
 * reads.
 */
export const opencodeTarget: MoveTarget = {
  id: 'opencode',
  title: 'opencode',
  dialect: 'anthropic',
  root: ({ home, environment }) => join(environment.XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode'),
  environment: root => ({ OPENCODE_DB: join(root, 'opencode.db') }),
  plan(session, root) {
    const path = join(root, 'opencode.db')
    return existsSync(path) ? planRows(session, path, root) : planImport(session, root, undefined)
  },
}

function planRows(session: MovedSession, path: string, root: string): MovePlan {
  const database = openDatabase(path, tables)
  try {
    const model = lastModel(database.look)
    const written = opencodeSession(session, model, Date.now())
    const rows = rowsOf(session, written, projectOf(database.look, session.cwd))
    if (rows.some(([table, row]) => !fits(database.look, table, row))) return planImport(session, root, model)
    const { id } = written
    const write = (): void => insert(path, rows)
    return { path, id, resume: [['opencode', '-s', id]], write }
  } finally {
    database.close()
  }
}

const tables = ['project', 'session', 'message', 'part']

type Row = readonly [table: string, values: Readonly<Record<string, string | number>>]

/** The model of the newest message of any session. */
function lastModel(look: DatabaseSync): OpencodeModel {
  for (const { data } of look.prepare('select data from message order by time_created desc limit 20').all()) {
    const { providerID, modelID } = asRecord(asRecord(tryParseJson(String(data))).model)
    if (typeof providerID === 'string' && typeof modelID === 'string') return { providerID, modelID }
  }
  return undefined
}

interface Project {
  readonly id: string
  readonly worktree: string
  readonly isNew: boolean
}

/** The project that the working directory is in. All folders without version control share the project `global`. */
function projectOf(look: DatabaseSync, cwd: string): Project {
  if (columnsOf(look, 'project').length === 0) return { id: 'global', worktree: '/', isNew: false }
  const known = look.prepare('select id, worktree from project').all()
  const projects = known.map(({ id, worktree }) => ({ id: String(id), worktree: String(worktree), isNew: false }))
  const near = projects
    .filter(({ id, worktree }) => id !== 'global' && `${cwd}${sep}`.startsWith(`${worktree}${sep}`))
    .sort((one, other) => other.worktree.length - one.worktree.length)
  return near[0] ?? projects.find(({ id }) => id === 'global') ?? { id: 'global', worktree: '/', isNew: true }
}

function rowsOf({ cwd, title, created }: MovedSession, session: OpencodeSession, project: Project): Row[] {
  const times = { time_created: created, time_updated: session.updated }
  const rows: Row[] = [
    [
      'session',
      {
        id: session.id,
        project_id: project.id,
        slug: session.slug,
        directory: cwd,
        path: relative(project.worktree, cwd).replaceAll('\\', '/'),
        title,
        version: '0.0.0',
        ...times,
      },
    ],
  ]
  if (project.isNew)
    rows.unshift(['project', { id: project.id, worktree: project.worktree, sandboxes: '[]', ...times }])
  for (const { id, time, data, parts } of session.messages) {
    const own = { session_id: session.id, time_created: time, time_updated: time }
    rows.push(['message', { id, ...own, data: JSON.stringify(data) }])
    for (const part of parts)
      rows.push(['part', { id: part.id, message_id: id, ...own, data: JSON.stringify(part.data) }])
  }
  return rows
}

const columnsOf = (database: DatabaseSync, table: string): Record<string, unknown>[] =>
  database.prepare('select name, "notnull", dflt_value, pk from pragma_table_info(?)').all(table)

/** Columns that only some versions have. */
const optional = new Set(['path'])

/** Whether a table has the columns of a row, and needs no others. */
function fits(database: DatabaseSync, table: string, row: Row[1]): boolean {
  const columns = columnsOf(database, table)
  const names = new Set(columns.map(({ name }) => String(name)))
  return (
    Object.keys(row).every(name => names.has(name) || optional.has(name)) &&
    columns.every(
      ({ name, notnull, dflt_value }) => Object.hasOwn(row, String(name)) || !notnull || dflt_value !== null,
    )
  )
}

function insert(path: string, rows: readonly Row[]): void {
  const database = openDatabase(path, tables)
  try {
    database.change(look => {
      for (const [table, row] of rows) {
        const names = new Set(columnsOf(look, table).map(({ name }) => String(name)))
        const keys = Object.keys(row).filter(name => names.has(name))
        const statement = `insert into "${table}" (${keys.join(', ')}) values (${keys.map(() => '?').join(', ')})`
        look.prepare(statement).run(...keys.map(key => row[key] ?? null))
      }
    })
  } finally {
    database.close()
  }
}

/** A file as `opencode export` writes it, for `opencode import`. */
function planImport(session: MovedSession, root: string, model: OpencodeModel): MovePlan {
  // Its import command demands a model for every prompt.
  const fallback = { providerID: 'anthropic', modelID: 'claude-opus-4-5' }
  const { id, slug, messages, updated } = opencodeSession(session, model ?? fallback, Date.now())
  const path = join(root, 'antiphon', `${id}.json`)
  if (existsSync(path)) throw fileError(path, 'something else has this name already', 'try again')
  const { cwd, title, created } = session
  const time = { created, updated }
  const text = JSON.stringify({
    info: { id, slug, projectID: 'global', directory: cwd, title, version: '0.0.0', time },
    messages: messages.map(message => ({
      info: { id: message.id, sessionID: id, ...message.data },
      parts: message.parts.map(part => ({ id: part.id, sessionID: id, messageID: message.id, ...part.data })),
    })),
  })
  return {
    path,
    id,
    resume: [
      ['opencode', 'import', path],
      ['opencode', '-s', id],
    ],
    note: 'no opencode database with the expected columns was found, so this is a file for opencode import; to choose a model, add -m PROVIDER/MODEL to opencode -s',
    write: () => createFile(path, `${text}\n`, 'nothing is overwritten: try again'),
  }
}
