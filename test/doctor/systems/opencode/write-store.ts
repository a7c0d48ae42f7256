import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Session, StoredPart } from './generate.ts'
import type { Json, Message } from './request.ts'

/** Writes sessions as files of older versions: a file for each record. */
export function writeFiles(sessions: readonly Session[], root: string, indent?: number): string {
  const put = (folder: string[], name: unknown, text: string): void => {
    mkdirSync(join(root, ...folder), { recursive: true })
    writeFileSync(join(root, ...folder, `${name}.json`), text)
  }
  for (const folder of ['session', 'message', 'part']) mkdirSync(join(root, folder), { recursive: true })
  for (const { session, messages } of sessions) {
    put(['session', 'global'], session.id, JSON.stringify(session, null, indent))
    for (const { info, parts } of messages) {
      put(['message', String(session.id)], info.id, JSON.stringify(info, null, indent))
      for (const part of parts) put(['part', String(info.id)], part.data.id, written(part, part.data, indent))
    }
  }
  return root
}

/** Writes sessions into a database of newer versions. */
export function writeDatabase(sessions: readonly Session[], path: string): string {
  const database = new DatabaseSync(path)
  database.exec(`pragma journal_mode = wal; ${schema}`)
  const add = {
    session: database.prepare('insert into session values (?, ?, ?, ?, ?, ?, 1, 1)'),
    message: database.prepare('insert into message values (?, ?, ?, ?, ?)'),
    part: database.prepare('insert into part values (?, ?, ?, ?, ?, ?)'),
  }
  for (const { session, messages } of sessions) {
    const { id, projectID, slug, directory, title, version } = session as Record<string, string>
    add.session.run(id, projectID, slug, directory, title, version)
    for (const { info, parts } of messages) {
      const { id: message, sessionID: _, ...rest } = info
      const { created } = info.time as { created: number }
      add.message.run(String(message), id, created, created, JSON.stringify(rest))
      for (const part of parts) {
        const { id: own, sessionID: _session, messageID: _message, ...data } = part.data
        add.part.run(String(own), String(message), id, created, created, written(part, data))
      }
    }
  }
  database.close()
  return path
}

const written = ({ torn }: StoredPart, data: Json, indent?: number): string =>
  JSON.stringify(data, null, indent).slice(0, torn)

const schema = `
create table session (id text primary key, project_id text not null, slug text not null, directory text not null,
  title text not null, version text not null, time_created integer not null, time_updated integer not null);
CREATE TABLE \`message\` (\`id\` text PRIMARY KEY NOT NULL, \`session_id\` text NOT NULL, \`time_created\` integer NOT NULL,
  \`time_updated\` integer NOT NULL, \`data\` text NOT NULL, FOREIGN KEY (\`session_id\`) REFERENCES \`session\`(\`id\`) ON DELETE CASCADE);
CREATE TABLE \`part\` (\`id\` text PRIMARY KEY NOT NULL, \`message_id\` text NOT NULL, \`session_id\` text NOT NULL,
  \`time_created\` integer NOT NULL, \`time_updated\` integer NOT NULL, \`data\` text NOT NULL,
  FOREIGN KEY (\`message_id\`) REFERENCES \`message\`(\`id\`) ON DELETE CASCADE);
CREATE INDEX \`part_message_id_id_idx\` ON \`part\` (\`message_id\`, \`id\`);`

/** The sessions in a folder, as the program loads them. Throws if one of their records is not JSON, as it does. */
export function readFiles(root: string): Message[][] {
  const sessions = readdirSync(join(root, 'session', 'global'))
  return sessions.map(name =>
    valuesIn(join(root, 'message', basename(name, '.json'))).map(info => ({
      info,
      parts: valuesIn(join(root, 'part', String(info.id))),
    })),
  )
}

function valuesIn(folder: string): Json[] {
  let names: string[] = []
  try {
    names = readdirSync(folder).filter(name => name.endsWith('.json') && !name.startsWith('.'))
  } catch {
    return []
  }
  return names.sort().map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')))
}

export function readDatabase(path: string): Message[][] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const messages = database.prepare('select id, data from message where session_id = ? order by time_created, id')
    const parts = database.prepare('select id, data from part where message_id = ? order by id')
    return database
      .prepare('select id from session order by id')
      .all()
      .map(({ id }) =>
        messages.all(String(id)).map(row => ({
          info: { ...JSON.parse(String(row.data)), id: row.id },
          parts: parts.all(String(row.id)).map(part => ({ ...JSON.parse(String(part.data)), id: part.id })),
        })),
      )
  } finally {
    database.close()
  }
}

/** All rows, as they are written. */
export function rowsOf(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return ['session', 'message', 'part'].map(table => database.prepare(`select * from ${table} order by id`).all())
  } finally {
    database.close()
  }
}
