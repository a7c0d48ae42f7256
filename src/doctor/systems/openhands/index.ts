import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import { linkError } from '../../files/no-links.ts'
import { type Peek, peekAt } from '../../peek.ts'
import type { StoredConversation, StoreUser, System } from '../../system.ts'
import { examineFolder } from './examine.ts'
import { baseStateName, eventsFolder, isEventName, readFolder } from './log.ts'
import { openhandsProgram } from './program.ts'

/** OpenHands: the SDK, its agent server and its command line. One folder per conversation, one file per event. */
export const openhands: System = {
  id: 'openhands',
  title: 'OpenHands',
  places,
  recognises,
  program: openhandsProgram,
  open: async path => ({ conversations: () => conversationsIn(path), close: () => undefined }),
}

function places({ home, folder, environment }: StoreUser): string[] {
  const { OPENHANDS_CONVERSATIONS_DIR: own, OPENHANDS_PERSISTENCE_DIR: root } = environment
  return [own || join(root || join(home, '.openhands'), 'conversations'), join(folder, 'workspace', 'conversations')]
}

/** Recognised by the names of its files. */
function recognises(peek: Peek): boolean {
  if (peek.kind !== 'directory') return false
  if (peek.has(baseStateName)) return true
  return peek.has(eventsFolder) && peekAt(join(peek.path, eventsFolder)).names().some(isEventName)
}

/** A conversation, and those of its subagents, which are stored inside it. */
function* conversationsIn(path: string): Generator<StoredConversation> {
  yield conversationAt(path)
  const agents = join(path, 'subagents')
  if (lstatSync(agents, { throwIfNoEntry: false })?.isSymbolicLink()) yield afterLink(agents)
  if (!lstatSync(agents, { throwIfNoEntry: false })?.isDirectory()) return
  for (const entry of readdirSync(agents, { withFileTypes: true })) {
    const agent = join(agents, entry.name)
    if (entry.isSymbolicLink()) yield afterLink(agent)
    else if (entry.isDirectory() && recognises(peekAt(agent))) yield* conversationsIn(agent)
  }
}

const afterLink = (path: string): StoredConversation => ({
  id: basename(path),
  examine: async () => {
    throw linkError(path)
  },
})

/** An unreadable one reports its error when it is examined, and the others continue. */
function conversationAt(path: string): StoredConversation {
  try {
    const real = realpathSync(path)
    const folder = readFolder(real)
    const { id = basename(path), title } = folder
    return { id, ...(title === undefined ? {} : { title }), examine: async () => examineFolder(real, folder) }
  } catch (error) {
    return { id: basename(path), examine: () => Promise.reject(error) }
  }
}
