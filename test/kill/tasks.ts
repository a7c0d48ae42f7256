import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  AntiphonError,
  agent,
  type Journal,
  type RunOptions,
  run,
  type Thread,
  type Tools,
  type Worker,
} from '../../src/journal/index.ts'
import { wordsOnly } from '../journal/invariants/words.ts'
import type { Ledger } from './ledger.ts'
import { modelWith } from './model.ts'
import type { Task } from './plan.ts'
import type { Points } from './points.ts'
import type { Renewals } from './renewals.ts'
import { submit, toolsOf } from './tools.ts'

/** What a process has. */
export interface World {
  readonly journal: Journal
  readonly ledger: Ledger
  readonly points: Points
  readonly renewals: Renewals
  readonly leaseMs: number
  /** Aborted when it is told to stop. */
  readonly told: AbortSignal
}

export function perform(task: Task, world: World): Promise<unknown> {
  switch (task.do) {
    case 'converse':
      return converse(world, threadOf(world, task.thread), task.inputs)
    case 'resume':
      return finish(world, threadOf(world, task.thread))
    case 'invoke':
      return Promise.all(task.inputs.map(input => answer(world, threadOf(world, task.thread), input, input)))
    case 'work':
      return work(world, task.inputs)
    case 'serve':
      return serve(world)
    case 'submit':
      return submitAll(world, threadOf(world, task.thread), task.inputs)
    case 'go back':
      return goBack(world, threadOf(world, task.thread))
    case 'erase':
      return erase(world, threadOf(world, task.thread))
    case 'load':
      return load(world, task.threads)
  }
}

/** A user who waits for each answer, and says everything once, however often he begins again. */
async function converse(world: World, thread: Thread, inputs: readonly string[]): Promise<void> {
  for (const [index, input] of inputs.entries()) {
    await answer(world, thread, input, `input ${index}`)
    world.points.reach('between turns')
  }
}

async function answer(world: World, thread: Thread, input: string, key: string): Promise<void> {
  await submit(thread, world.ledger, input, key)
  await finish(world, thread)
}

/** What an earlier process has done already is not done again, and whatever it left is answered first. */
async function goBack(world: World, thread: Thread): Promise<void> {
  const { ledger, points } = world
  const branches = async (): Promise<number> => (await thread.branches()).length
  const seq = await submit(thread, ledger, 'plain <in-1>', 'input 0')
  await finish(world, thread)
  const { seq: edited } = await thread.edit(seq, 'changing <in-2>', { key: 'edit' })
  ledger.add({
    kind: 'receipt',
    receipt: { thread: thread.name, key: 'edit', seq: edited },
    content: 'changing <in-2>',
  })
  await finish(world, thread)
  if ((await branches()) === 2) await thread.regenerate()
  await finish(world, thread)
  if ((await branches()) === 3) await thread.fork()
  await thread.switch((await thread.branches())[3]?.branch ?? 0)
  await answer(world, thread, 'plain <in-3>', 'input 1')
  await thread.compact({ summary: wordsOnly, keepTurns: 1 })
  points.reach('summarized')
  await answer(world, thread, 'parallel <in-4>', 'input 2')
  await thread.describe({ title: 'The charges' })
}

/** False if an earlier process has erased it. */
async function erase(world: World, thread: Thread): Promise<boolean> {
  try {
    await answer(world, thread, 'parallel <in-1>', 'input 0')
  } catch (error) {
    if (!AntiphonError.is(error) || error.code !== 'thread-erased') throw error
  }
  return (await thread.erase()).isErased
}

async function finish(world: World, thread: Thread): Promise<void> {
  do await run(thread, { ...pool(world), waitMs: 20_000 })
  while (await decideAll(world, thread))
}

async function work(world: World, inputs: readonly string[]): Promise<void> {
  const threads = inputs.map((_, index) => threadOf(world, `thread ${index}`))
  for (const [index, input] of inputs.entries()) await submit(threads[index], world.ledger, input, 'input')
  await using _ = workerOf(world)
  for (const thread of threads) while (!(await isOver(world, thread))) await sleep(10)
}

async function isOver(world: World, thread: Thread): Promise<boolean> {
  if (await decideAll(world, thread)) return false
  return (await thread.status()).state === 'idle'
}

async function serve(world: World): Promise<void> {
  await using _ = workerOf(world)
  await once(world.told, 'abort')
}

async function load(world: World, threads: number): Promise<number> {
  let count = 0
  for (; !world.told.aborted; count++) {
    const [sort, word] = [count % 3 === 0 ? 'parallel' : 'plain', `<in-${process.pid}${count}>`]
    const thread = threadOf(world, `thread ${count % threads}`)
    const begun = performance.now()
    await submit(thread, world.ledger, `${sort} ${word}`, `${process.pid} ${count}`)
    // On a machine that does much else, workers need longer for it, too.
    await sleep(Math.max(30, 3 * (performance.now() - begun)))
  }
  return count
}

async function submitAll(
  { ledger }: World,
  thread: Thread,
  inputs: Readonly<Record<string, string>>,
): Promise<unknown> {
  const codeOf = (error: unknown): unknown => (AntiphonError.is(error) ? error.code : String(error))
  return Promise.all(Object.entries(inputs).map(([key, input]) => submit(thread, ledger, input, key).catch(codeOf)))
}

/** Decides what waits for somebody. False if nothing does. */
async function decideAll({ points }: World, thread: Thread): Promise<boolean> {
  const open = await thread.openCalls({ deep: true })
  const waiting = open.filter(({ parked, decision }) => parked && parked.why !== 'agent' && !decision)
  if (waiting.length > 0) points.reach('while parked')
  for (const { id, input, parked } of waiting) {
    if (parked?.why === 'outside') await thread.settle(id, 'somebody said so')
    else if ((input as { item: string }).item === 'denied') await thread.deny(id, 'too dear')
    else if ((input as { item: string }).item === 'changed') await thread.approve(id, { input: { item: 'other' } })
    else await thread.approve(id)
  }
  return waiting.length > 0
}

const workerOf = (world: World): Worker =>
  world.journal.work({ ...pool(world), pollMs: 20, thread: settings(world), onError: () => {} })

function pool(world: World): Pick<RunOptions, 'model'> & { tools: Tools } {
  const model = modelWith(world.points)
  const tools = toolsOf({ ...world, threadOf: key => threadWith(world, key) })
  return { model, tools: { ...tools, helper: agent({ model, tools }) } }
}

const threadOf = (world: World, name: string): Thread => world.journal.thread(name, settings(world))

const settings = ({ leaseMs }: World) => ({ for: 'openai' as const, leaseMs, graceMs: 200 })

/** The thread that a call is in. */
async function threadWith(world: World, key: string): Promise<Thread> {
  for await (const { uid, name } of world.journal.threads({ children: true }))
    if (key.startsWith(`${uid}-`)) return threadOf(world, name)
  throw new Error(`no thread has the call ${key}`)
}
