import type { Turn } from '../../../src/journal/turn.ts'
import type { Random } from '../../laws/random.ts'
import type { Actor } from './actor.ts'

/** Takes one turn of a thread by hand, as somebody does who writes the loop, and who sometimes walks away from it. */
export async function runLoop(actor: Actor, name: string, random: Random): Promise<void> {
  const thread = actor.process.thread(name)
  const isSafe = (tool: string): boolean => actor.tools[tool]?.replay === 'safe'
  await actor.attempt(async () => {
    const turn = await thread.turn({ waitMs: random.pick([0, 2_000]), isSafe })
    if (!turn) return
    try {
      while (turn.open && random.chance(0.9)) await step(actor, turn, name)
    } finally {
      await turn[Symbol.asyncDispose]()
    }
  })
}

async function step(actor: Actor, turn: Turn, thread: string): Promise<void> {
  const { number, steps, signal, messages } = turn
  if (turn.calls.length === 0)
    await turn.record(actor.model({ messages: messages as never[], signal, thread, turn: number, step: steps }))
  const performed = turn.calls.map(call => {
    const execute = actor.tools[call.name]?.execute
    if (!execute || !call.isReadable) return turn.settle(call, 'There is nobody who could do this.')
    if (actor.tools[call.name].approval && !call.isApproved && !call.again) return turn.parkCall(call, 'approval')
    return turn.perform(call, context => execute(call.input as never, context), { timeoutMs: 2_000 })
  })
  const failed = (await Promise.allSettled(performed)).find(end => end.status === 'rejected')
  if (failed) throw failed.reason
}
