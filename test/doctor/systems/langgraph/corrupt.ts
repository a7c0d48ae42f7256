import { Random } from '../../../laws/random.ts'
import { type CheckpointStore, type StoredCheckpoint, type StoredThread, writeOf } from './generate.ts'
import { kindOf, type MessageKind, type MessageText, Speaker } from './speaker.ts'

/** One to four of the defects that LangGraph programs cause, in the newest checkpoint of one thread. */
export function corrupt(seed: number, store: CheckpointStore): CheckpointStore {
  const random = new Random(seed ^ 0x5eed)
  const chosen = random.int(store.threads.length)
  let thread = store.threads[chosen] as StoredThread
  for (let count = random.range(1, 4); count > 0; count--) thread = random.pick(faults)(random, thread)
  return { threads: store.threads.map((other, index) => (index === chosen ? thread : other)) }
}

type Fault = (random: Random, thread: StoredThread) => StoredThread

/** Changes the messages of the newest checkpoint. */
const inNewest =
  (change: (random: Random, messages: MessageText[]) => MessageText[]): Fault =>
  (random, thread) => {
    const newest = thread.checkpoints.at(-1) as StoredCheckpoint
    const messages = change(random, [...newest.messages])
    return { ...thread, checkpoints: [...thread.checkpoints.slice(0, -1), { ...newest, messages }] }
  }

const faults: readonly Fault[] = [
  inNewest(loseResult),
  inNewest(loseResult),
  inNewest(loseCall),
  inNewest(doubleResult),
  inNewest(delayResult),
  inNewest(advanceResult),
  inNewest(repeatSystem),
  inNewest(strayResult),
  inNewest(swapNeighbours),
  writeOn,
  discardStep,
]

function loseResult(random: Random, messages: MessageText[]): MessageText[] {
  return without(messages, anyOf(random, messages, 'tool'))
}

/** The message of the calls is missing, its results are still there. */
function loseCall(random: Random, messages: MessageText[]): MessageText[] {
  return without(messages, anyOf(random, messages, 'call'))
}

function doubleResult(random: Random, messages: MessageText[]): MessageText[] {
  const at = anyOf(random, messages, 'tool')
  const to = random.range(at + 1, messages.length)
  return at < 0 ? messages : messages.toSpliced(to, 0, messages[at])
}

/** A result that came only when the user had written on. */
function delayResult(random: Random, messages: MessageText[]): MessageText[] {
  const at = anyOf(random, messages, 'tool')
  const behind = messages.findIndex((message, index) => index > at && kindOf(message) === 'human')
  if (at < 0 || behind < 0) return messages
  return messages.toSpliced(behind + 1, 0, messages[at]).toSpliced(at, 1)
}

function advanceResult(random: Random, messages: MessageText[]): MessageText[] {
  const at = anyOf(random, messages, 'tool')
  const call = messages.findLastIndex((message, index) => index < at && kindOf(message) === 'call')
  return at < 0 || call < 0 ? messages : messages.toSpliced(at, 1).toSpliced(call, 0, messages[at])
}

/** The first turn was stopped, and the program took the thread for a new one. */
function repeatSystem(random: Random, messages: MessageText[]): MessageText[] {
  const [first] = messages
  const at = anyOf(random, messages, 'human')
  if (kindOf(first) !== 'system' || at < 2) return messages
  return messages.toSpliced(at, 0, first.replace(/"id":"m\d+-/, '"id":"again-'))
}

function strayResult(random: Random, messages: MessageText[]): MessageText[] {
  const stray = new Speaker(random).result(random.id('call_'))
  return messages.toSpliced(random.range(2, messages.length), 0, stray)
}

function swapNeighbours(random: Random, messages: MessageText[]): MessageText[] {
  const at = anyOf(random, messages, 'tool')
  return at < 0 || at + 1 >= messages.length ? messages : messages.toSpliced(at, 2, messages[at + 1], messages[at])
}

/** The run ended after the calls, and the user continued. */
function writeOn(random: Random, thread: StoredThread): StoredThread {
  const speaker = new Speaker(random)
  const [calls] = speaker.step()
  return inNewest((_, messages) => [...messages, calls, speaker.human()])(random, thread)
}

/** The same, but some of the calls had been answered: their results are in the writes of the discarded step. */
function discardStep(random: Random, thread: StoredThread): StoredThread {
  const speaker = new Speaker(random)
  const newest = thread.checkpoints.at(-1) as StoredCheckpoint
  const [calls, ...results] = speaker.step()
  const given = results.filter(() => random.chance(0.5))
  const before = [...newest.messages, calls]
  const discarded = {
    ...newest,
    id: `${newest.id}1`,
    messages: before,
    writes: given.map(result => writeOf(random, [result])),
  }
  const next = { ...newest, id: `${newest.id}2`, messages: [...before, speaker.human()], writes: [] }
  return { ...thread, checkpoints: [...thread.checkpoints, discarded, next] }
}

/** A place of a kind of message; -1 if there is none. */
function anyOf(random: Random, messages: readonly MessageText[], kind: MessageKind): number {
  const places = [...messages.keys()].filter(at => kindOf(messages[at]) === kind)
  return places.length > 0 ? random.pick(places) : -1
}

const without = (messages: readonly MessageText[], at: number): MessageText[] =>
  messages.filter((_, index) => index !== at)
