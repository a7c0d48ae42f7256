import { childName, parentOf } from '../../../journal/agents/child-name.ts'
import type { ThreadState } from '../../../journal/fold.ts'
import { lastTurnStatus } from '../../../journal/stores/read-all.ts'
import type { Store, ThreadRow } from '../../../journal/stores/store.ts'
import type { AgentFacts, OpenCallFacts, ThreadFacts } from '../protocol.ts'
import { factsOf, type OwnFacts, stateOfRow } from './thread-facts.ts'
import type { ThreadStates } from './thread-states.ts'

/** The facts of a thread, and its calls that agents work or worked on. */
export interface ThreadReading {
  readonly own: OwnFacts
  readonly agentCalls: readonly AgentCall[]
}

interface AgentCall {
  readonly id: string
  readonly name: string
  readonly isOpen: boolean
}

export const readingOf = (state: ThreadState, row: ThreadRow): ThreadReading => ({
  own: factsOf(state, row),
  agentCalls: state.items
    .flatMap(item => (item.kind === 'step' ? item.step.calls : []))
    .flatMap(({ id, name, parked }) => (parked?.why === 'agent' ? { id, name, isOpen: state.open.has(id) } : []))
    .slice(-agentsMax),
})

/** The facts of a thread with its agents, and the names of the threads that also change them. */
export interface FactsOfTree {
  readonly facts: ThreadFacts
  readonly below: readonly string[]
}

/** Reads the agents of a thread, and what they wait for. */
export async function withAgents(
  store: Store,
  states: ThreadStates,
  row: ThreadRow,
  { own, agentCalls }: ThreadReading,
): Promise<FactsOfTree> {
  const now = await store.now()
  const agents: AgentFacts[] = []
  const below: string[] = []
  const openBelow = new Map<string, readonly OpenCallFacts[]>()
  for (const { id, name, isOpen } of agentCalls) {
    const thread = childName(row.name, id)
    if (isOpen) below.push(thread)
    const child = await store.find(thread)
    if (!child || child.state === 'erased') continue
    const ended = child.state === 'idle' ? await lastTurnStatus(store, child).catch(() => undefined) : undefined
    agents.push({ call: id, name, item: String(child.thread), state: stateOfRow(child, now, ended) })
    if (!isOpen) continue
    const tree = await withAgents(store, states, child, await states.read(child, state => readingOf(state, child)))
    openBelow.set(
      id,
      tree.facts.open.map(call => ({ ...call, path: [name, ...(call.path ?? [])] })),
    )
    below.push(...tree.below)
  }
  const open = own.open.flatMap(call => [call, ...(openBelow.get(call.id) ?? [])])
  const place = parentOf(row.name)
  const parent = place && (await store.find(place.parent))
  return {
    facts: { ...own, open, agents, ...(parent && { parent: { item: String(parent.thread), name: parent.name } }) },
    below,
  }
}

/** More agents are not listed. */
const agentsMax = 50
