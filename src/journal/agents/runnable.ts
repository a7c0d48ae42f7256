import { AntiphonError } from '../../core/errors.ts'
import { agentRunOptions, type RunOptions } from '../run.ts'
import type { Thread } from '../thread.ts'
import { findTool } from '../tool.ts'
import type { CallWatch } from './call-watch.ts'
import { parentOf } from './child-name.ts'

/** A thread, and how it is run. */
export interface Runnable {
  readonly thread: Thread
  readonly options: RunOptions
  /** For the thread of an agent: its call, and whether that still waits for it. */
  readonly call?: { readonly isOpen: boolean; watch(): CallWatch }
}

/** Finds out how a thread is run: with the given options, or if it is an agent's, with those of the agent, from the outermost thread inwards. */
export async function runnableOf(name: string, open: (name: string) => Thread, options: RunOptions): Promise<Runnable> {
  const place = parentOf(name)
  if (!place) return { thread: open(name), options }
  const { callId } = place
  const parent = await runnableOf(place.parent, open, options)
  const call = (await parent.thread.read()).calls.get(callId)
  const agent = call && findTool(parent.options.tools ?? {}, call.name)?.agent
  if (!agent)
    throw new AntiphonError(
      'missing-tool',
      `thread ${name} needs the agent ${call?.name}, which this worker does not have`,
      {
        hint: 'start a worker that has the agent among its tools, or settle the call',
        call: callId,
      },
    )
  return {
    thread: parent.thread.child(callId, agent.thread),
    options: agentRunOptions(agent, options),
    call: { isOpen: call.outcome === undefined, watch: () => parent.thread.agents.watch(callId) },
  }
}
