import { Random } from '../../../laws/random.ts'
import type { Session, StoredPart } from './generate.ts'
import type { Json } from './request.ts'

/** One to four defects in one session, as crashes, retries and aborts leave them. */
export function corrupt(seed: number, sessions: readonly Session[]): Session[] {
  const random = new Random(seed)
  const copies = structuredClone(sessions) as Session[]
  const session = random.pick(copies)
  for (let count = random.range(1, 4); count > 0; count--)
    if (session.messages.length > 0) random.pick(faults)(session, random)
  return copies
}

type Fault = (session: Session, random: Random) => void

const faults: readonly Fault[] = [
  function stillRunning(session, random) {
    const part = pick(session, random, 'tool')
    if (!part) return
    const { input = {}, time } = (part.data.state ?? {}) as { input?: Json; time?: Json }
    const title = random.chance(0.5) ? { title: random.sentence() } : {}
    part.data.state = { status: 'running', input, ...title, time: { start: time?.start ?? 1 } }
  },
  function stillPending(session, random) {
    const part = pick(session, random, 'tool')
    if (part) part.data.state = { status: 'pending', input: {}, raw: `{"command":"${random.word()}` }
  },
  function crashed(session, random) {
    const message = random.pick(session.messages)
    const at = session.messages.indexOf(message)
    session.messages.splice(at + 1)
    message.parts.splice(random.range(1, Math.max(1, message.parts.length)))
    const last = message.parts.at(-1)
    if (last?.data.type === 'tool') last.data.state = { status: 'running', input: {}, time: { start: 1.0 } }
  },
  function lostStep(session, random) {
    for (const message of session.messages) {
      const starts = message.parts.filter(({ data }) => data.type === 'step-start').slice(1)
      if (starts.length === 0) continue
      const lost = random.pick(starts)
      message.parts = message.parts.filter(part => part !== lost)
      return
    }
  },
  function doubledCall(session, random) {
    const found = place(session, random, 'tool')
    if (!found) return
    const { message, at } = found
    const copy = structuredClone(message.parts[at])
    copy.data.id = `${copy.data.id}${random.word()}`
    if (random.chance(0.5)) copy.data.state = { ...(copy.data.state as Json), output: random.sentence() }
    message.parts.splice(at + 1, 0, copy)
  },
  function lostState(session, random) {
    const part = pick(session, random, 'tool')
    if (part)
      part.data.state = random.pick([
        ...[undefined, null, {}, { status: 'strange', input: {} }, { status: 'error' }],
        ...[
          { ...(part.data.state as object), input: random.word() },
          { status: 'running', input: [random.word()] },
        ],
      ])
  },
  function lostOutput(session, random) {
    const part = pick(session, random, 'tool')
    const state = part?.data.state as Json | undefined
    if (state) delete state.output
  },
  function torn(session, random) {
    const part = pick(session, random, random.pick(['tool', 'text', 'step-finish']))
    if (part) part.torn = random.int(40)
  },
  function lostPart(session, random) {
    const message = random.pick(session.messages)
    message.parts.splice(random.int(message.parts.length), 1)
  },
  function lostMessage(session, random) {
    session.messages.splice(random.int(session.messages.length), 1)
  },
  function aborted(session, random) {
    const message = random.pick(session.messages)
    if (message.info.role === 'assistant')
      message.info.error = { name: 'MessageAbortedError', data: { message: 'The operation was aborted.' } }
  },
]

const pick = (session: Session, random: Random, type: string): StoredPart | undefined => {
  const found = place(session, random, type)
  return found?.message.parts[found.at]
}

function place(session: Session, random: Random, type: string) {
  const found = session.messages.flatMap(message =>
    message.parts.flatMap(({ data }, at) => (data.type === type ? [{ message, at }] : [])),
  )
  return found.length > 0 ? random.pick(found) : undefined
}
