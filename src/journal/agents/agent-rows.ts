import { callId } from '../fold.ts'
import type { Store, ThreadRow } from '../stores/store.ts'
import { childName } from './child-name.ts'

/** The thread of an agent, and the call that it works for. */
export interface AgentRow {
  readonly callId: string
  readonly row: ThreadRow
}

/** The threads of the agents of a thread, in the order of their calls. Those that were erased or have not begun are left out. */
export async function* agentRows(
  store: Store,
  { thread, name, uid }: Pick<ThreadRow, 'thread' | 'name' | 'uid'>,
): AsyncGenerator<AgentRow> {
  for (const place of await store.agentCalls(thread)) {
    const call = callId(uid, place)
    const row = await store.find(childName(name, call))
    if (row && row.state !== 'erased') yield { callId: call, row }
  }
}

/** The threads of all agents below a thread, each before those of its own agents. */
export async function* agentTree(store: Store, row: ThreadRow): AsyncGenerator<ThreadRow> {
  for await (const { row: child } of agentRows(store, row)) {
    yield child
    yield* agentTree(store, child)
  }
}

export async function agentsBelow(store: Store, row: ThreadRow): Promise<readonly ThreadRow[]> {
  const agents: ThreadRow[] = []
  for await (const agent of agentTree(store, row)) agents.push(agent)
  return agents
}
