import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Fingerprint, fingerprint } from '../../files/fingerprint.ts'
import { jsonLayoutOf, printJson } from '../../files/layout.ts'
import { mustHaveNoLinks } from '../../files/no-links.ts'
import { readRegularFile } from '../../files/regular-file.ts'
import type { ConversationStore, StoredConversation, StoreRepair } from '../../system.ts'
import type { PartChange } from './diagnose.ts'
import { examineStoredRejection } from './examine-rejection.ts'
import { examineStoredSession } from './examine-session.ts'
import { byId, recordOf, type StoredMessage, type StoredRecord } from './records.ts'
import { beginningText, openingMessage } from './rewrite.ts'
import { type FileSwap, swapFiles } from './swap-files.ts'

/** The folder of older versions: one file for each session, message and part. */
export function openFileStore(path: string): ConversationStore {
  for (const name of ['session', 'message', 'part']) mustHaveNoLinks(path, join(path, name))
  return {
    *conversations() {
      for (const project of namesIn(join(path, 'session'), path)) {
        const folder = join(path, 'session', project)
        try {
          for (const name of jsonIn(folder, path))
            yield conversationOf(basename(name, '.json'), join(folder, name), path)
        } catch (error) {
          yield { id: project, examine: () => Promise.reject(error) }
        }
      }
    },
    close: () => {},
  }
}

function conversationOf(id: string, file: string, path: string): StoredConversation {
  return {
    id,
    ...titleIn(id, file, path),
    examine: async () => {
      mustHaveNoLinks(path, file)
      const prints = new Map<string, Fingerprint>()
      const messages = messagesOf(id, path, prints)
      return examineStoredSession(messages, changes => storeRepairOf(id, messages, changes, path, prints))
    },
    examineRejection: async rejection => {
      mustHaveNoLinks(path, file)
      const prints = new Map<string, Fingerprint>()
      const messages = messagesOf(id, path, prints)
      return examineStoredRejection(messages, rejection, changes => storeRepairOf(id, messages, changes, path, prints))
    },
  }
}

/** If the file of a session cannot be read, its messages still can. */
function titleIn(id: string, file: string, path: string): { title?: string } {
  try {
    mustHaveNoLinks(path, file)
    const title = recordOf(id, readRegularFile(file).toString()).value?.title
    return typeof title === 'string' && title !== '' ? { title } : {}
  } catch {
    return {}
  }
}

function messagesOf(session: string, path: string, prints: Map<string, Fingerprint>): StoredMessage[] {
  const folder = join(path, 'message', session)
  return recordsIn(folder, path, prints).map(message => ({
    ...message,
    parts: recordsIn(join(path, 'part', message.id), path, prints),
  }))
}

function recordsIn(folder: string, path: string, prints: Map<string, Fingerprint>): StoredRecord[] {
  return jsonIn(folder, path)
    .map(name => {
      const file = join(folder, name)
      mustHaveNoLinks(path, file)
      prints.set(file, fingerprint(file))
      return recordOf(basename(name, '.json'), readRegularFile(file).toString())
    })
    .sort(byId)
}

function namesIn(folder: string, path: string): string[] {
  mustHaveNoLinks(path, folder)
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as { code?: string }).code ?? '')) return []
    throw error
  }
}

const jsonIn = (folder: string, path: string): string[] =>
  namesIn(folder, path).filter(name => name.endsWith('.json') && !name.startsWith('.'))

function opened(
  { message, part, next }: PartChange & { kind: 'open' },
  sessionID: string,
  path: string,
  file: string,
): FileSwap[] {
  const opening = openingMessage(next)
  const layout = jsonLayoutOf([next.text], '')
  const info = { id: message, sessionID, ...opening.info }
  const words = { id: part, sessionID, messageID: message, ...opening.part }
  return [
    { file, text: printJson(words, layout) },
    { file: join(path, 'message', sessionID, `${message}.json`), text: printJson(info, layout) },
  ]
}

function storeRepairOf(
  session: string,
  messages: readonly StoredMessage[],
  changes: readonly PartChange[],
  path: string,
  prints: ReadonlyMap<string, Fingerprint>,
): StoreRepair {
  const texts = new Map(messages.flatMap(({ parts }) => parts.map(({ id, text }) => [id, text])))
  for (const change of changes) if (change.kind === 'write') texts.set(change.part, change.text)
  const swaps = changes.flatMap((change): FileSwap[] => {
    const file = join(path, 'part', change.message, `${change.part}.json`)
    if (change.kind === 'open') return opened(change, session, path, file)
    if (change.kind === 'begin') return [{ file, text: beginningText(texts.get(change.next) ?? '{}', change.part) }]
    const before = prints.get(file) as Fingerprint
    return [change.kind === 'remove' ? { file, before } : { file, before, text: change.text }]
  })
  return { files: swaps.map(({ file }) => file), apply: async assertUnused => swapFiles(swaps, path, assertUnused) }
}
