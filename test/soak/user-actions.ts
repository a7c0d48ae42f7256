import type { Thread } from '../../src/journal/index.ts'
import type { Random } from '../laws/random.ts'
import type { Dialect } from './settings.ts'
import type { World } from './world.ts'

/** Which of the calls that wait are seen to. */
export interface AnswerRates {
  readonly approvals: number
  readonly results: number
}

/** A call that waits for somebody. */
export interface Waiting {
  readonly id: string
  readonly name: string
  readonly isApproval: boolean
}

/** Decides calls that wait for somebody, and gives results from outside: each or not. Gives back those that it has left for later. */
export async function answerOpenCalls(
  world: World,
  random: Random,
  dialect: Dialect,
  thread: Thread,
  { approvals, results }: AnswerRates,
): Promise<Waiting[]> {
  const left: Waiting[] = []
  for (const { id, name, parked, decision } of await world.insist(() => thread.openCalls())) {
    if (!parked || decision) continue
    const isApproval = parked.why === 'approval'
    const call = { id, name, isApproval }
    if (random.chance(isApproval ? approvals : results)) await answer(world, random, dialect, thread, call)
    else left.push(call)
  }
  return left
}

/** Decides a call or brings its result, whether it still waits for that or not; sometimes twice, and the second time otherwise. */
export const answer = (
  world: World,
  random: Random,
  dialect: Dialect,
  thread: Thread,
  { id, name, isApproval }: Waiting,
): Promise<void> =>
  isApproval ? decide(world, random, dialect, thread, id) : settle(world, random, dialect, thread, id, name)

async function decide(world: World, random: Random, dialect: Dialect, thread: Thread, call: string): Promise<void> {
  const { verdicts } = world.promises(dialect, thread.name).acknowledged
  const decideAs = async (approved: boolean) => {
    const verdict = await world.insist(() => (approved ? thread.approve(call) : thread.deny(call, 'too dear')))
    verdicts.push({ call, verdict })
    world.counters.count(`verdict ${verdict.isFirst ? 'first' : 'later'} ${verdict.status}`)
    return verdict
  }
  const isApproved = random.chance(0.65)
  const isTwice = random.chance(0.5)
  await decideAs(isApproved)
  if (!isTwice) return
  world.counters.count('contrary decisions')
  const contrary = await decideAs(!isApproved)
  if (contrary.isFirst) world.problems.push(`${thread.name}: a second decision about ${call} was taken for the first`)
}

async function settle(
  world: World,
  random: Random,
  dialect: Dialect,
  thread: Thread,
  call: string,
  name: string,
): Promise<void> {
  const { settlements } = world.promises(dialect, thread.name).acknowledged
  const settleWith = async (output: string) => {
    const settlement = await world.insist(() => thread.settle(call, output))
    settlements.push({ call, settlement })
    world.counters.count(
      `settled from outside ${settlement.isFirst ? (settlement.isLate ? 'late' : 'first') : 'ignored'}`,
    )
    return settlement
  }
  const isTwice = random.chance(0.3)
  await settleWith(`${name} was told ${world.word('out')}`)
  if (!isTwice) return
  const second = await settleWith(`${name} was told otherwise ${world.word('out')}`)
  if (second.isFirst) world.problems.push(`${thread.name}: ${call} was settled twice`)
}

/** Stops what runs in a thread, from anywhere. */
export async function interrupt(world: World, dialect: Dialect, thread: Thread): Promise<void> {
  const { isInterrupted, turn } = await world.insist(() => thread.interrupt('somebody pressed stop'))
  world.counters.count(isInterrupted ? 'interrupts' : 'interrupts of nothing')
  if (isInterrupted && turn !== undefined)
    world.promises(dialect, thread.name).acknowledged.interruptions.push({ thread: thread.name, turn })
}
