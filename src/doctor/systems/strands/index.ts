import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { Peek } from '../../peek.ts'
import type { System } from '../../system.ts'
import { runtimes, worksNear } from '../../works-near.ts'
import { agentFileName, messagesFolder, readAgent } from './agent-folder.ts'
import { examineAgent } from './examine-agent.ts'

/** Sessions of Strands Agents for Python in files: one folder per agent of a session, one file per message. */
export const strands: System = {
  id: 'strands',
  title: 'Strands Agents',
  places: ({ environment }) => [join(environment.TMPDIR || tmpdir(), 'strands', 'sessions')],
  recognises: isAgent,
  // A user's own program, which has no file open between two messages.
  program: { processes: [{ names: runtimes, isRuntime: true, isOfOpenCalls: true, worksIn: worksNear }] },
  async open(path) {
    const real = realpathSync(path)
    const conversation = { id: nameOf(real), examine: async () => examineAgent(real, readAgent(real)) }
    return { conversations: () => [conversation], close: () => undefined }
  },
}

/** The folder `session_<id>/agents/agent_<id>`, whose file has the state of a conversation manager. */
function isAgent(peek: Peek): boolean {
  if (peek.kind !== 'directory' || !peek.has(agentFileName) || !peek.has(messagesFolder)) return false
  try {
    return readAgent(peek.path, true).isAgent
  } catch {
    return false
  }
}

/** The ids of the session and of its agent, as in the names of their folders. */
function nameOf(path: string): string {
  const whole = resolve(path)
  const [session, agent] = [dirname(dirname(whole)), whole].map(folder => basename(folder))
  return `${session?.replace(/^session_/, '')}/${agent?.replace(/^agent_/, '')}`
}
