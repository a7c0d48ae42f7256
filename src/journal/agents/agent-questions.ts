import { AntiphonError } from '../../core/errors.ts'
import type { OpenCall } from '../calls/open-calls.ts'
import type { JournalCall, ThreadState } from '../fold.ts'
import type { Thread } from '../thread.ts'

/** A call of an agent that waits for an approval. */
export interface AgentQuestion {
  readonly id: string
  readonly name: string
  readonly input: unknown
  /** The name of the agent's thread. */
  readonly thread: string
  /** The ids of the calls whose agents led to it, from the outside in. */
  readonly path: readonly string[]
  /** The names of the tools of these calls. */
  readonly agents: readonly string[]
  /** When it expires. */
  readonly until?: number
}

/** The questions of all agents below a thread. */
export const agentQuestions = async (thread: Thread): Promise<AgentQuestion[]> =>
  questionsIn(await thread.openCalls({ deep: true }))

/** Those among the open calls of a thread and of the agents below it. */
export function questionsIn(open: readonly OpenCall[]): AgentQuestion[] {
  const names = new Map(open.map(({ id, name }) => [id, name]))
  return open.flatMap(({ id, name, input, thread = '', path = [], parked, decision }) => {
    if (path.length === 0 || parked?.why !== 'approval' || decision) return []
    const agents = path.map(call => names.get(call) ?? '')
    return [{ id, name, input, thread, path, agents, ...(parked.until === undefined ? {} : { until: parked.until }) }]
  })
}

/** A call of a thread or of an agent below it, and the state of the thread that made it; undefined if there is no such call. */
export async function findCall(
  thread: Thread,
  callId: string,
): Promise<{ readonly call: JournalCall; readonly state: ThreadState; readonly thread: string } | undefined> {
  try {
    return await thread.agents.withCall(callId, async log => {
      const state = await log.catchUp()
      const call = state.calls.get(callId)
      if (!call) throw unknownCall(callId)
      return { call, state, thread: log.name }
    })
  } catch (error) {
    if (AntiphonError.is(error) && error.code === 'unknown-call') return undefined
    throw error
  }
}

const unknownCall = (callId: string): AntiphonError =>
  new AntiphonError('unknown-call', `unknown call ${callId}`, { hint: 'check the id of the call', call: callId })
