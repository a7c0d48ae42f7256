import { basename } from 'node:path'
import { fileError } from '../../files/file-error.ts'
import { readDocument } from '../../json-document.ts'
import { peekAt } from '../../peek.ts'
import type { ConversationStore, System } from '../../system.ts'
import { worksNear } from '../../works-near.ts'
import { examineHistory } from './history.ts'
import { frameworkFileOf } from './recognise.ts'
import { examineSnapshot } from './snapshot.ts'

/** Microsoft Agent Framework: snapshots of AG-UI threads, and the history files of its sessions. */
export const agentFramework: System = {
  id: 'agent-framework',
  title: 'Microsoft Agent Framework',
  places: () => [],
  // These files are written by users' own applications.
  program: { processes: [{ names: ['python', 'python3', 'dotnet'], isRuntime: true, worksIn: worksNear }] },
  recognises: peek => frameworkFileOf(peek) !== undefined,
  open: async path => storeAt(path),
}

function storeAt(path: string): ConversationStore {
  const kind = frameworkFileOf(peekAt(path))
  if (kind === 'packed')
    throw fileError(path, 'it is a history in msgpack, which is not read', 'let the application write it as JSON')
  const examine = kind === 'history' ? () => examineHistory(path) : () => examineSnapshot(readDocument(path))
  return {
    conversations: () => [{ id: sessionOf(path), examine: async () => examine() }],
    close() {},
  }
}

/** The id of a session. If the id is not a valid file name, the file name has it in base64. */
function sessionOf(path: string): string {
  const name = basename(path).replace(/\.jsonl?$/, '')
  const coded = /^~session-(?!sha256-)([\w-]+)$/.exec(name)?.[1]
  return coded === undefined ? name : Buffer.from(coded, 'base64url').toString()
}
