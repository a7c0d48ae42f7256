import type { Thread } from '../../src/journal/index.ts'
import { LapTimer } from '../interleave.ts'
import { scriptOf } from './script.ts'

/** How many laps a turn has: submit, turn, and then record and perform by turns. */
export const lapsPerTurn = 7

/**
 * Plays the turn of that number as a caller would, with a model that answers at once. With `reads` it takes the messages
 * before each answer, as a real model needs them. Gives the times of its laps.
 */
export async function play(thread: Thread, number: number, { reads }: { reads: boolean }): Promise<number[]> {
  const { input, responses, outputs } = scriptOf(number)
  const timer = new LapTimer()
  await thread.submit(input, { key: `request-${number}` })
  timer.lap()
  const turn = await thread.turn()
  timer.lap()
  if (!turn) throw new Error(`turn ${number} of ${thread.name} could not begin`)
  for (const [step, response] of responses.entries()) {
    if (reads && turn.messages.length === 0) throw new Error('nothing was said')
    const calls = await turn.record(response)
    timer.lap()
    for (const call of calls) await turn.perform(call, () => outputs[step])
    if (calls.length > 0) timer.lap()
  }
  if (turn.status !== 'done') throw new Error(`turn ${number} of ${thread.name} ended as ${turn.status}`)
  return timer.laps
}
