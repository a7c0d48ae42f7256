import type { BaseEvent, HttpAgent, Message, ResumeEntry } from '@ag-ui/client'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { AgUiOptions } from '../../../src/integrations/ag-ui/index.ts'
import { healAgUiMessages } from '../../../src/integrations/ag-ui/index.ts'
import type { FailureMode, ReplyContent } from '../../../src/strict/index.ts'
import { eventually } from '../../eventually.ts'
import { refusalOf } from '../../journal/invariants/prefixes.ts'
import { readers } from '../../strict/readers.ts'
import { type Client, type ClientVersion, lastSnapshot, openScene, type Provider, type Scene } from './scene.ts'

/** What somebody does to a thread. */
type Act =
  | (Cut & { readonly kind: 'say' | 'go'; readonly who: number; readonly isAwaited: boolean })
  | { readonly kind: 'answer'; readonly who: number; readonly verdicts: readonly number[]; readonly speaks: boolean }
  | { readonly kind: 'bring'; readonly who: number; readonly isForged: boolean }
  | { readonly kind: 'interrupt' }

/** After how many events of a run its client goes away, or somebody stops it. */
interface Cut {
  readonly abortAfter?: number
  readonly stopAfter?: number
}

export interface Plan {
  readonly provider: Provider
  /** The versions of the two clients, and of one that comes at the end. */
  readonly versions: readonly ClientVersion[]
  readonly replies: readonly ReplyContent[]
  readonly acts: readonly Act[]
  readonly options: Pick<AgUiOptions, 'whenBusy' | 'whenApproving' | 'whenGone' | 'reasoning'>
}

const who = fc.nat({ max: 1 })
const call = fc.record({
  name: fc.constantFrom('weather', 'book', 'show', 'nobody'),
  input: fc.constant({ city: 'Faro, and then along the coast to Lagos and Sagres' }),
})
const reply: fc.Arbitrary<ReplyContent> = fc.record(
  {
    text: fc.constantFrom('Hello.', 'Let me see.', 'One moment, I look it up for you.'),
    calls: fc.array(call, { minLength: 1, maxLength: 3 }),
    fail: fc.constantFrom<FailureMode>('slow:1', 'slow:1', 'slow:1', 'slow:1', 'cut', 'overload', 'rate-limit:stream'),
  },
  { requiredKeys: ['text'] },
)

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      {
        kind: fc.constantFrom('say' as const, 'say' as const, 'go' as const),
        who,
        isAwaited: fc.boolean(),
        abortAfter: fc.nat({ max: 12 }),
        stopAfter: fc.nat({ max: 20 }),
      },
      { requiredKeys: ['kind', 'who', 'isAwaited'] },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      who,
      verdicts: fc.array(fc.nat({ max: 3 }), { minLength: 3, maxLength: 3 }),
      speaks: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('bring' as const), who, isForged: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant<Act>({ kind: 'interrupt' }) },
)

export const plans: fc.Arbitrary<Plan> = fc.record({
  provider: fc.constantFrom<Provider>('openai', 'anthropic'),
  versions: fc.array(fc.constantFrom<ClientVersion>('1.0.0', '0.0.59'), { minLength: 3, maxLength: 3 }),
  replies: fc.array(reply, { minLength: 1, maxLength: 8 }),
  acts: fc.array(act, { minLength: 2, maxLength: 9 }),
  options: fc.record({
    whenBusy: fc.constantFrom('queue' as const, 'steer' as const, 'interrupt' as const, 'reject' as const),
    whenApproving: fc.constantFrom('queue' as const, 'deny' as const),
    whenGone: fc.constantFrom('interrupt' as const, 'continue' as const),
    reasoning: fc.boolean(),
  }),
})

const tools = { weather: { execute: () => 'sunny' }, book: { approval: true, execute: () => 'booked' } }
const offered = { tools: [{ name: 'show', description: 'Shows it.', parameters: { type: 'object' } }] }

/** Does all of it, and holds that every stream is a good one, and that the thread is whole at the end. */
export async function checkPlan({ provider, versions, replies, acts, options }: Plan): Promise<void> {
  const thinking = provider === 'anthropic' ? { thinking: 'Hm.' } : {}
  const script = [
    ...replies.map(said => ({ ...thinking, ...said })),
    ...Array.from({ length: 30 }, () => ({ ...thinking, text: 'Done.' })),
  ]
  await using scene = await openScene(script, { provider, tools, ...options })
  const clients = [scene.agent('one', versions[0]), scene.agent('other', versions[1])]
  const running: Promise<unknown>[] = []
  for (const act of acts) {
    const run = perform(act, scene, clients)
    running.push(run)
    if (!('isAwaited' in act) || act.isAwaited) await run
  }
  await Promise.all(running)
  await eventually(async () => expect((await scene.thread.status()).state).not.toBe('running'))
  await expectWhole(scene, versions[2])
}

let counter = 0

async function perform(act: Act, scene: Scene, clients: readonly Client[]): Promise<void> {
  if (act.kind === 'interrupt') {
    await scene.thread.interrupt('the operator')
    return
  }
  const { agent } = clients[act.who]
  // A client does one thing at a time.
  if (busy.has(agent)) return
  busy.add(agent)
  const open = await scene.thread.openCalls()
  if (act.kind === 'bring')
    for (const { providerId, parked, name } of open)
      if (act.isForged || (parked?.why === 'outside' && name === 'show'))
        agent.addMessage({ id: `brought-${counter++}`, role: 'tool', toolCallId: providerId, content: 'shown' })
  const waiting = open.filter(({ parked, decision }) => parked?.why === 'approval' && !decision)
  const resume = act.kind === 'answer' ? waiting.flatMap(({ id }, index) => answers[act.verdicts[index % 3]](id)) : []
  if (act.kind === 'say' || (act.kind === 'answer' && act.speaks))
    agent.addMessage({ id: `said-${counter++}`, role: 'user', content: 'Well?' })
  await runChecked(scene, agent, resume, 'isAwaited' in act ? act : {})
  busy.delete(agent)
}

const busy = new WeakSet<HttpAgent>()

const answers: ((interruptId: string) => ResumeEntry[])[] = [
  interruptId => [{ interruptId, status: 'resolved', payload: { approved: true } }],
  interruptId => [{ interruptId, status: 'resolved', payload: { approved: false } }],
  interruptId => [{ interruptId, status: 'cancelled' }],
  () => [],
]

/** The client refuses a stream that breaks the rules of the protocol, with an error. */
async function runChecked(scene: Scene, agent: HttpAgent, resume: ResumeEntry[], cut: Cut): Promise<void> {
  const { abortAfter = Number.POSITIVE_INFINITY, stopAfter } = cut
  // What it was asked before somebody else may have answered.
  agent.pendingInterrupts = []
  let last: BaseEvent | undefined
  let shown: readonly Message[] = []
  let seen = 0
  const run = agent.runAgent(
    { ...offered, ...(resume.length > 0 ? { resume } : {}) },
    {
      onEvent({ event }) {
        last = event
        if (event.type === 'MESSAGES_SNAPSHOT') shown = event.messages as Message[]
        if (++seen === stopAfter) void scene.thread.interrupt('the operator')
        if (seen > abortAfter) agent.abortRun()
      },
    },
  )
  // A client that aborts makes an error of its own of that, which may come after one of the server.
  await run.catch(error => {
    if (seen <= abortAfter) throw error
  })
  if (seen > abortAfter) return
  if (last?.type === 'RUN_ERROR') expect(['failed', 'thread-busy']).toContain(last.code)
  else expect(last?.type).toBe('RUN_FINISHED')
  if (last?.code === 'thread-busy') return
  // Thoughts that the model had in vain are in no snapshot, and a client keeps them.
  const kept = agent.messages.filter(({ id, role }) => role !== 'reasoning' || shown.some(message => message.id === id))
  expect(kept).toEqual(shown)
}

async function expectWhole(scene: Scene, version: ClientVersion): Promise<void> {
  const fresh = scene.agent('fresh', version)
  await fresh.go()
  const { messages } = fresh.agent
  expect(messages).toEqual(lastSnapshot(fresh.events))
  expect(healAgUiMessages(messages, { pending: 'keep' }), 'a snapshot needs no healing').toBe(messages)
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length)
  for (const { verdict } of scene.strict.requests) expect(verdict).not.toMatchObject({ status: 400 })
  for (const reader of readers) {
    const said = await scene.thread.messages({ for: reader.dialect, format: reader.format, model: reader.model })
    expect(refusalOf(said, reader, scene.strict.state), reader.dialect).toBeUndefined()
  }
}
