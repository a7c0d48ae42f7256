import { AntiphonError, type Thread } from '../../src/journal/index.ts'
import type { Random } from '../laws/random.ts'
import { type Dialect, expiry } from './settings.ts'
import type { World } from './world.ts'

/** Which of the calls that wait are seen to. */
export interface AnswerRates {
  readonly approvals: number
  readonly results: number
}

/** A call that waits for somebody. */
export interface Waiting {
  readonly id: string
  /** Its thread, which may be that of an agent. */
  readonly thread: string
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
  const open = await world.insist(() => thread.openCalls({ deep: true }))
  for (const { id, name, parked, decision, thread: owner = thread.name } of open) {
    if (!parked || decision) continue
    const isApproval = parked.why === 'approval'
    const call = { id, name, isApproval, thread: owner }
    if (parked.why === 'agent' && !random.chance(0.01)) continue
    if (random.chance(isApproval ? approvals : results)) await answer(world, random, dialect, thread, call)
    else left.push(call)
  }
  return left
}

/** Decides a call or brings its result, whether it still waits for that or not; sometimes twice, and the second time otherwise. */
export const answer = (world: World, random: Random, dialect: Dialect, thread: Thread, call: Waiting): Promise<void> =>
  (call.isApproval ? decide : settle)(world, random, dialect, thread, call)

async function decide(
  world: World,
  random: Random,
  dialect: Dialect,
  thread: Thread,
  { id: call, thread: owner }: Waiting,
): Promise<void> {
  const { verdicts } = world.promises(dialect, owner).acknowledged
  if (owner !== thread.name) world.counters.count('decisions for agents')
  const decideAs = async (approved: boolean) => {
    const changed = random.chance(0.3) ? { input: { item: 'less' } } : {}
    const verdict = await world.insist(() => (approved ? thread.approve(call, changed) : thread.deny(call, 'too dear')))
    if (approved && 'input' in changed) world.counters.count('approvals with changes')
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
  { id: call, name, thread: owner }: Waiting,
): Promise<void> {
  const { settlements } = world.promises(dialect, owner).acknowledged
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

/** Gives a thread a title, and at once, from another process, labels and data. Most threads are to be kept. */
export async function describe(world: World, random: Random, dialect: Dialect, name: string): Promise<void> {
  const promises = world.promises(dialect, name)
  const touchedAt = Date.now()
  const isKept = promises.metadata.labels.includes(expiry.keepLabel) || random.chance(0.6)
  const labels = [random.pick(['red', 'blue']), ...(isKept ? [expiry.keepLabel] : [])]
  const [title, data] = [random.id('about '), { number: random.int(1_000) }]
  await Promise.all([
    world.insist(() => world.thread(dialect, name, 0).describe({ title })),
    world.insist(() => world.thread(dialect, name, 1).describe({ labels, data })),
  ])
  world.counters.count('described')
  Object.assign(promises, { metadata: { title, labels, data }, touchedAt })
}

/** Stops what runs in a thread, from anywhere. */
export async function interrupt(world: World, dialect: Dialect, thread: Thread): Promise<void> {
  const { isInterrupted, turn } = await world.insist(() => thread.interrupt('somebody pressed stop'))
  world.counters.count(isInterrupted ? 'interrupts' : 'interrupts of nothing')
  if (isInterrupted && turn !== undefined)
    world.promises(dialect, thread.name).acknowledged.interruptions.push({ thread: thread.name, turn })
}

/** Erases a thread, whatever runs in it; sometimes as a process that crashes in between, and a worker has to finish it. */
export async function erase(world: World, random: Random, dialect: Dialect, name: string): Promise<void> {
  const { store } = world.journal(dialect)
  const row = await world.insist(() => store.find(name))
  if (!row) return
  const isBrokenOff = random.chance(0.3)
  world.erased.add(`${dialect}, ${name}`)
  if (isBrokenOff) await world.insist(() => store.erase(row.thread, { limit: 0 }))
  else await world.insist(() => world.thread(dialect, name, random.range(0, 1)).erase())
  world.counters.count(isBrokenOff ? 'erased by a worker' : 'erased at once')
  for (const twin of [0, 1])
    try {
      await world.insist(() => world.thread(dialect, name, twin).submit('Are you there?'))
      world.problems.push(`${name} was erased, and takes an input`)
    } catch (error) {
      if (!AntiphonError.is(error) || error.code !== 'thread-erased') throw error
    }
}
