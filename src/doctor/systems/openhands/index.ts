import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import { linkError } from '../../files/no-links.ts'
import { type Peek, peekAt } from '../../peek.ts'
import type { StoredConversation, System, User } from '../../system.ts'
import { examineFolder } from './examine.ts'
import { baseName, eventsFolder, isEventName, readFolder } from './log.ts'
import { program } from './program.ts'

/** OpenHands: the SDK, its agent server and its command line. One folder a conversation, one file an event. */
export const openhands: System = {
  id: 'openhands',
  title: 'OpenHands',
  places,
  recognises,
  program,
  open: async path => ({ conversations: () => conversationsIn(path), close: () => undefined }),
}

function places({ home, folder, environment }: User): string[] {
  const { OPENHANDS_CONVERSATIONS_DIR: own, OPENHANDS_PERSISTENCE_DIR: root } = environment
  return [own || join(root || join(home, '.openhands'), 'conversations'), join(folder, 'workspace', 'conversations')]
}

/** Told by the names of its files. */
function recognises(peek: Peek): boolean {
  if (peek.kind !== 'directory') return false
  if (peek.has(baseName)) return true
  return peek.has(eventsFolder) && peekAt(join(peek.path, eventsFolder)).names().some(isEventName)
}

/** A conversation, and those of the agents that it has sent out, which are kept inside it. */
function* conversationsIn(path: string): Generator<StoredConversation> {
  yield conversationAt(path)
  const agents = join(path, 'subagents')
  if (lstatSync(agents, { throwIfNoEntry: false })?.isSymbolicLink()) yield behindLink(agents)
  if (!lstatSync(agents, { throwIfNoEntry: false })?.isDirectory()) return
  for (const entry of readdirSync(agents, { withFileTypes: true })) {
    const agent = join(agents, entry.name)
    if (entry.isSymbolicLink()) yield behindLink(agent)
    else if (entry.isDirectory() && recognises(peekAt(agent))) yield* conversationsIn(agent)
  }
}

const behindLink = (path: string): StoredConversation => ({
  id: basename(path),
  examine: async () => {
    throw linkError(path)
  },
})

/** What cannot be read says so when it is examined, and the others go on. */
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
