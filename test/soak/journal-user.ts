import { setTimeout as sleep } from 'node:timers/promises'
import { AntiphonError, type Thread } from '../../src/journal/index.ts'
import { wordsOnly } from '../journal/invariants/words.ts'
import { Random } from '../laws/random.ts'
import { randomPlan, wordsOf } from './plan.ts'
import { type Dialect, dialects } from './settings.ts'
import { answer, answerOpenCalls, describe, erase, interrupt, type Waiting } from './user-actions.ts'
import type { World } from './world.ts'

/** A user who speaks through the journal itself, in one thread after the other, and leaves the work to workers. */
export async function speak(world: World, index: number): Promise<void> {
  const random = new Random(world.seed * 1_009 + index)
  for (let count = 0; !world.over.aborted; count++) {
    const dialect = random.pick(dialects)
    const name = `speaker ${index}, thread ${count}`
    await world.visit(`speaker ${index}`, { dialect, name }, () => converse(world, random, dialect, name))
  }
}

async function converse(world: World, random: Random, dialect: Dialect, name: string): Promise<void> {
  await describe(world, random, dialect, name)
  for (let turns = random.range(2, 10); turns > 0 && !world.over.aborted; turns--) {
    await say(world, random, dialect, name)
    await wait(world, random, dialect, world.thread(dialect, name))
    if (random.chance(0.3)) await goBack(world, random, dialect, world.thread(dialect, name))
    if (random.chance(0.2)) await describe(world, random, dialect, name)
  }
  if (!random.chance(0.2)) return
  // Half of them in the middle of an answer.
  if (random.chance(0.5)) {
    await say(world, random, dialect, name)
    await sleep(random.range(0, 1_500))
  }
  await erase(world, random, dialect, name)
}

/** Submits something: sometimes twice at once from two processes, sometimes other words under the same key. */
async function say(world: World, random: Random, dialect: Dialect, name: string): Promise<void> {
  const promises = world.promises(dialect, name)
  const { acknowledged } = promises
  const touchedAt = Date.now()
  const content = wordsOf(randomPlan(random), world.word('in'))
  const key = `key ${random.id('')}`
  const whenBusy = random.pick(['queue', 'queue', 'steer', 'steer', 'interrupt', 'reject'] as const)
  const whenApproving = random.pick(['queue', 'deny'] as const)
  const submit = async (words: string, twin: number): Promise<number | undefined> => {
    const thread = world.thread(dialect, name, twin)
    try {
      const receipt = await world.insist(() => thread.submit(words, { key, whenBusy, whenApproving }))
      acknowledged.receipts.push({ receipt, content: words })
      promises.touchedAt = touchedAt
      world.counters.count('receipts')
      return receipt.seq
    } catch (error) {
      if (!AntiphonError.is(error) || !refusals.has(error.code)) throw error
      world.counters.count(`submit refused ${error.code}`)
      if (error.code === 'key-taken') acknowledged.taken.push({ thread: name, key, content: words })
      return undefined
    }
  }
  if (!random.chance(0.3)) {
    await submit(content, 0)
  } else {
    world.counters.count('double submits')
    // Of two that are refused while a turn runs one may have come before it, and the other finds it there.
    const seqs = await Promise.all([submit(content, 0), submit(content, 1)])
    const known = seqs.filter(seq => seq !== undefined)
    if (new Set(known).size > 1) world.problems.push(`${name}: one input has the receipts ${known.join(' and ')}`)
  }
  if (random.chance(0.08)) await submit(`${content} And more.`, 1)
}

/** Changes what was said, wants another answer, or a summary. */
async function goBack(world: World, random: Random, dialect: Dialect, thread: Thread): Promise<void> {
  const { acknowledged, forks } = world.promises(dialect, thread.name)
  const way = random.pick(['edit', 'regenerate', 'compact', 'switch', 'fork', 'fork'] as const)
  try {
    if (way === 'regenerate') await world.insist(() => thread.regenerate())
    else if (way === 'compact') await world.insist(() => thread.compact({ summary: wordsOnly, keepTurns: 1 }))
    else if (way === 'switch') {
      const { branch } = random.pick(await world.insist(() => thread.branches()))
      await world.insist(() => thread.switch(branch))
    } else if (way === 'fork') {
      const head = Math.max(0, ...acknowledged.receipts.map(({ receipt }) => receipt.seq))
      const where = { at: random.range(0, head), openCalls: random.pick(['reject', 'drop'] as const) }
      const { branch, at = -1 } = await world.insist(() => thread.fork(where))
      forks.push({ branch, at })
      if (at !== where.at) world.problems.push(`${thread.name}: a branch begins at ${at}, and not at ${where.at}`)
      if (random.chance(0.5)) await world.insist(() => thread.switch(branch, { whenBusy: 'interrupt' }))
    } else {
      const known = acknowledged.receipts.filter(({ receipt }) => receipt.thread === thread.name)
      if (known.length === 0) return
      const content = wordsOf(randomPlan(random), world.word('in'))
      const { seq } = random.pick(known).receipt
      const receipt = await world.insist(() => thread.edit(seq, content, { key: `key ${random.id('')}` }))
      acknowledged.receipts.push({ receipt, content })
    }
    world.counters.count(`went back ${way}`)
    await wait(world, random, dialect, thread)
  } catch (error) {
    if (!AntiphonError.is(error) || !refusedWays.has(error.code)) throw error
    world.counters.count(`refused ${way} ${error.code}`)
  }
}

/** Answers to somebody who goes back while a turn runs, or to where there is nothing. */
const refusedWays = new Set([
  ...['open-calls', 'thread-busy', 'unknown-input', 'branch-changed', 'unsafe-cut', 'invalid-summary'],
])

const refusals = new Set(['thread-busy', 'key-taken'])

/** Waits for the answer, or not for as long as that, and meanwhile does what users do. */
async function wait(world: World, random: Random, dialect: Dialect, thread: Thread): Promise<void> {
  const isPatient = random.chance(0.8)
  const isRude = random.chance(0.2)
  // Nobody answers some questions before they expire.
  const rates = random.chance(0.2) ? { approvals: 0, results: 0 } : { approvals: 0.7, results: 0.7 }
  const late = new Map<string, Waiting>()
  for (let looks = isPatient ? 150 : random.range(1, 4); looks > 0 && !world.over.aborted; looks--) {
    await sleep(random.range(20, 150))
    if (isRude && random.chance(0.3)) await interrupt(world, dialect, thread)
    for (const call of await answerOpenCalls(world, random, dialect, thread, rates)) late.set(call.id, call)
    const { state } = await world.insist(() => thread.status())
    if (state === 'idle') break
  }
  // A user who comes back to an open question learns what became of it.
  for (const call of late.values()) {
    if (!random.chance(0.5)) continue
    world.counters.count('late answers')
    await answer(world, random, dialect, thread, call)
  }
}
