import type { ModelRequest } from '../../../src/journal/ask-models.ts'
import type { ReplyContent, ScriptedCall } from '../../../src/strict/answers/script.ts'
import type { Random } from '../../laws/random.ts'
import type { Reader } from '../../strict/readers.ts'
import { refusalOf } from '../invariants/prefixes.ts'
import type { FakeResponses } from './fake-responses.ts'
import { toolNames } from './fake-tools.ts'
import type { Process } from './process.ts'
import type { VoidReasoning } from './rejections.ts'

/** The error of a model that cannot be reached. */
export class ModelDownError extends Error {
  override readonly name = 'ModelDownError'
  readonly status = 503

  constructor() {
    super('the model is down')
  }
}

export interface ModelContext {
  readonly process: Process
  readonly random: Random
  readonly fakeResponses: FakeResponses
  readonly reader: Reader
  readonly voidReasoning: VoidReasoning
  /** Nothing goes wrong any more. */
  isCalm(): boolean
  /** The model was asked with something that its provider refuses. */
  refused(why: string): void
}

/** A model that does whatever a model can do: it speaks, calls, fails, breaks off, hangs, hears no signal, and rejects what it signed. */
export function makeModel(context: ModelContext): (request: ModelRequest) => Promise<unknown> {
  const { process, random, fakeResponses, reader } = context
  return async ({ messages, signal }) => {
    const refused = refusalOf(messages, reader)
    if (refused) context.refused(`what ${process.name} asked its model with ${refused}`)
    const mood = context.isCalm() ? 'speaks' : random.pick(moods)
    const ms = mood === 'hangs' ? 8_000 : random.pick(thinkingMs)
    await (random.chance(0.7) ? heeding(process.wait(ms), signal) : process.wait(ms))
    if (mood === 'fails') throw new ModelDownError()
    if (random.chance(0.5)) context.voidReasoning.spoil(messages, random)
    const rejection = context.voidReasoning.rejection(messages, reader)
    if (rejection) throw rejection
    const said = makeReply(random, context.isCalm())
    if (mood === 'speaks' && random.chance(0.6)) return fakeResponses.whole(reader, said)
    return stream(fakeResponses.chunks(reader, said), mood, context)
  }
}

async function* stream(chunks: unknown[], mood: Mood, { process, random }: ModelContext): AsyncGenerator<unknown> {
  const count = mood === 'breaks' ? random.int(chunks.length) : chunks.length
  for (const chunk of chunks.slice(0, count)) {
    if (random.chance(0.3)) await process.wait(random.pick([0, 1, 20, 150]))
    yield chunk
  }
  if (mood === 'breaks' && random.chance(0.5)) throw new ModelDownError()
}

function makeReply(random: Random, isCalm: boolean): ReplyContent {
  const text = random.chance(0.7) ? 'Well, let me see.' : ''
  const thinking = random.chance(0.6) ? 'Hm.' : ''
  if (isCalm || random.chance(0.3)) {
    const stop = random.pick(stops)
    return { text: 'Here you are.', ...(thinking && { thinking }), ...(stop && { stop }) }
  }
  const calls = Array.from({ length: random.pick([1, 1, 2, 2, 3]) }, (_, index) => makeCall(random, index))
  return { ...(text && { text }), ...(thinking && { thinking }), calls }
}

/** Providers reuse ids, and models write arguments that nobody can read. */
const makeCall = (random: Random, index: number): ScriptedCall => ({
  name: random.pick(toolNames),
  input: random.chance(0.05) ? '{"mind": "ye' : { mind: random.pick(['yes', 'no', 'broken']) },
  ...(random.chance(0.1) && { id: random.chance(0.8) ? `again${index}aaa` : 'again0aaa' }),
})

type Mood = 'speaks' | 'fails' | 'breaks' | 'hangs'

const moods: readonly Mood[] = [...Array<Mood>(17).fill('speaks'), 'fails', 'fails', 'breaks', 'breaks', 'hangs']

const stops = [...Array<undefined>(12).fill(undefined), 'length', 'refusal', 'pause'] as const

const thinkingMs = [0, 1, 5, 40, 300, 1_500]

/** Nothing else is waited for once the signal is aborted. */
const heeding = (work: Promise<void>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
