import { parentOf } from '../../../src/journal/agents/child-name.ts'
import type { Watched } from '../sim/observer.ts'

/**
 * Agents that were started twice or by nobody, that outlived the thread that called them, or that gave a call another result than it has. A thread
 * stays empty if the process that created it crashed, and the call got a result from elsewhere before another process gave the agent its input.
 */
export function wrongAgents(threads: readonly Pick<Watched, 'name' | 'entries' | 'state' | 'isErased'>[]): string[] {
  const named = new Map(threads.map(watched => [watched.name, watched]))
  return threads.flatMap(({ name, entries, isErased }) => {
    const place = parentOf(name)
    if (!place) return []
    const parent = named.get(place.parent)
    const call = parent?.state.calls.get(place.callId)
    if (parent?.isErased) return isErased ? [] : [`${name} is left of a thread that was erased`]
    if (isErased) return [`${name} was erased without the thread that called it`]
    if (call?.parked?.why !== 'agent') return [`${name} belongs to no call`]
    if (entries.length === 0) return call.outcome ? [] : [`${name} was not started, and its call waits for it`]
    const inputs = entries.filter(({ kind }) => kind === 'input-submit')
    if (inputs.length !== 1) return [`${name} was started ${inputs.length} times`]
    return call.outcome ? [] : [`${name} has ended, and its call has no result`]
  })
}
