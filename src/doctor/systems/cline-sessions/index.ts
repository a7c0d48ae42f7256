import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isRecord } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { mustHaveNoLinks } from '../../files/no-links.ts'
import { readRegularFile } from '../../files/regular-file.ts'
import { readDocument } from '../../json-document.ts'
import type { System } from '../../system.ts'
import { titled } from '../../titles/stored-title.ts'
import { titleFrom } from '../../titles/title-text.ts'
import { examineMessages } from './examine-messages.ts'
import { ownWords } from './message.ts'

/** Sessions of Cline since June 2026: the messages of each agent of a session in a file. */
export const clineSessions: System = {
  id: 'cline-sessions',
  title: 'Cline sessions',
  places: ({
    home,
    folder,
    environment: { CLINE_DIR: own, CLINE_DATA_DIR: data, CLINE_SESSION_DATA_DIR: sessions },
  }) => [resolve(folder, sessions || join(data || join(own || join(home, '.cline'), 'data'), 'sessions'))],
  recognises: peek =>
    peek.kind === 'file' &&
    ((peek.name.endsWith(ending) && header.test(peek.headText())) ||
      (peek.name.endsWith(compacted) && compactedHeader.test(peek.headText()))),
  // The process that a session names is the one of its first run.
  program: {
    processes: [{ names: ['cline', '.cline'], holds: path => existsSync(listOf(path)) }],
    keepsOpen: path => [listOf(path)],
    advice: 'close Cline, run "cline hub stop" and try again',
  },
  async open(path) {
    if (path.endsWith(compacted)) return { conversations: () => [], close: () => undefined }
    const document = readDocument(path)
    const folder = dirname(resolve(path))
    const [session, agent] = [basename(folder), basename(path).slice(0, -ending.length)]
    const messages = isRecord(document.value) && Array.isArray(document.value.messages) ? document.value.messages : []
    const title = (agent === session ? storedTitle(folder, session) : undefined) ?? firstPrompt(messages)
    const conversation = {
      id: agent === session ? session : `${session}/${agent}`,
      ...titled(title),
      examine: async () => examineMessages(document, compactedCount(join(folder, `${agent}${compacted}`))),
    }
    return { conversations: () => [conversation], close: () => undefined }
  },
}

const ending = '.messages.json'

/** The list of sessions, which its processes have open. The environment may place it elsewhere. */
const listOf = (path: string): string => join(dirname(dirname(dirname(resolve(path)))), 'db', 'sessions.db')

/** The shorter form of a session, which is sent in its place. The program itself answers the calls in it. */
const compacted = '.compaction.json'

const compactedHeader = /^\s{0,9}\{\s{0,9}"version"\s{0,9}:\s{0,9}1\s{0,9},\s{0,9}"updated_at"/

const header =
  /^\s{0,9}\{\s{0,9}"version"\s{0,9}:\s{0,9}1\s{0,9},\s{0,9}"updated_at"\s{0,9}:\s{0,9}"[^"]{1,100}"\s{0,9},\s{0,9}"agent"/

function storedTitle(folder: string, session: string): string | undefined {
  const { metadata, prompt } = valueIn(join(folder, `${session}.json`))
  return (isRecord(metadata) ? titleFrom(metadata.title) : undefined) ?? titleFrom(ownWords(prompt))
}

function firstPrompt(messages: readonly unknown[]): string | undefined {
  for (const message of messages) {
    if (!isRecord(message) || message.role !== 'user') continue
    const { content } = message
    for (const block of Array.isArray(content) ? content : [{ text: content }]) {
      const title = isRecord(block) ? titleFrom(ownWords(block.text)) : undefined
      if (title !== undefined) return title
    }
  }
  return undefined
}

/** How many messages, from the first, the program sends in a shorter form that it keeps in a file of its own. */
function compactedCount(path: string): number {
  const { version, source_message_count: count, messages } = valueIn(path)
  return version === 1 && Array.isArray(messages) && Number.isInteger(count) ? Number(count) : 0
}

/** The object in a small file of a session. No link is followed. */
function valueIn(path: string): Readonly<Record<string, unknown>> {
  try {
    mustHaveNoLinks(dirname(path), path)
    const value = tryParseJson(readRegularFile(path).toString())
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
