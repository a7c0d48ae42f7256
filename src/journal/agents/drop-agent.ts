import type { Thread } from '../thread.ts'

/** Ends the thread of an agent whose call has a result, unless another process still runs it. */
export async function dropAgent(thread: Thread): Promise<void> {
  const reason = 'the call of the agent has a result'
  await thread.interrupt(reason)
  // An interrupted turn ends when it is taken. Input that still waits becomes a turn, which ends in the same way.
  for (let turn = await thread.turn(); turn; turn = await thread.turn()) {
    await thread.interrupt(reason)
    await turn[Symbol.asyncDispose]()
  }
  await thread.reschedule()
}
