import { Random } from '../../../laws/random.ts'
import type { Json } from './request.ts'

export { corrupt } from './corrupt.ts'

/** A session of opencode with its records. `torn` is how many characters of a record were written. */
export interface Session {
  session: Json
  messages: { info: Json; parts: StoredPart[] }[]
}

export interface StoredPart {
  data: Json
  torn?: number
}

/** Random healthy sessions. */
export function generate(seed: number): Session[] {
  const random = new Random(seed)
  return Array.from({ length: random.range(1, 2) }, () => new Writer(random).session())
}

class Writer {
  readonly #random: Random
  readonly #id: string
  #clock: number
  #count = 0

  constructor(random: Random) {
    this.#random = random
    this.#clock = Date.UTC(2026, random.int(10), 2, 8)
    this.#id = this.#next('ses')
  }

  session(): Session {
    const random = this.#random
    const time = { created: this.#clock, updated: this.#clock + 1000 }
    const session = { id: this.#id, projectID: 'global', directory: '/home/ada/shop', title: random.sentence(), time }
    const messages = Array.from({ length: random.range(1, 4) }, () => [this.#ask(), ...this.#answer()]).flat()
    return { session: { ...session, version: '1.2.10', slug: 'quiet-otter' }, messages }
  }

  #ask(): Session['messages'][number] {
    const random = this.#random
    const id = this.#next('msg')
    const model = { providerID: 'anthropic', modelID: 'claude-sonnet-4-5' }
    const info = { id, sessionID: this.#id, role: 'user', time: { created: this.#clock }, agent: 'build', model }
    const parts = [this.#part(id, { type: 'text', text: random.sentence() })]
    if (random.chance(0.2))
      parts.push(this.#part(id, { type: 'file', mime: 'image/png', url: 'data:image/png;base64,iVBORw0KGgo=' }))
    if (random.chance(0.1)) parts.push(this.#part(id, { type: 'agent', name: 'plan', future: 1.5 }))
    return { info, parts }
  }

  /** A turn is one message with several steps, or, in newer versions, a message for each step. */
  #answer(): Session['messages'] {
    const random = this.#random
    const steps = random.range(1, 4)
    const together = random.chance(0.5)
    const messages: Session['messages'] = []
    for (let step = 0; step < steps; step++) {
      if (step === 0 || !together) messages.push(this.#assistant())
      const message = messages.at(-1) as Session['messages'][number]
      message.parts.push(...this.#step(String(message.info.id), step === steps - 1))
    }
    return messages
  }

  #assistant(): Session['messages'][number] {
    const id = this.#next('msg')
    const cache = { read: 0, write: 0 }
    const info = {
      id,
      sessionID: this.#id,
      role: 'assistant',
      time: { created: this.#clock, completed: this.#clock + 500 },
      providerID: 'anthropic',
      modelID: 'claude-sonnet-4-5',
      mode: 'build',
      path: { cwd: '/home/ada/shop', root: '/home/ada/shop' },
      cost: 0.01,
      tokens: { input: 4, output: 90, reasoning: 0, cache },
    }
    return { info, parts: [] }
  }

  #step(message: string, isLast: boolean): StoredPart[] {
    const random = this.#random
    const parts = [this.#part(message, { type: 'step-start', snapshot: random.id('') })]
    const metadata = { anthropic: { signature: random.id('EqQB') } }
    const time = { start: this.#clock, end: this.#clock + 3 }
    if (random.chance(0.3))
      parts.push(this.#part(message, { type: 'reasoning', text: random.sentence(), metadata, time }))
    if (isLast || random.chance(0.5)) parts.push(this.#part(message, { type: 'text', text: random.sentence(), time }))
    const calls = isLast ? 0 : random.pick([1, 1, 2, 3])
    for (let call = 0; call < calls; call++) parts.push(this.#part(message, this.#call()))
    const reason = isLast ? 'stop' : 'tool-calls'
    const tokens = { input: 4, output: 90, reasoning: 0, cache: { read: 0, write: 0 } }
    parts.push(this.#part(message, { type: 'step-finish', reason, cost: 0.01, tokens }))
    if (random.chance(0.2)) parts.push(this.#part(message, { type: 'patch', hash: 'a1b2', files: ['src/a.ts'] }))
    return parts
  }

  #call(): Json {
    const random = this.#random
    const tool = random.pick(['bash', 'read', 'edit', 'task'])
    const time = { start: this.#clock, end: this.#clock + 40 }
    const input = { command: random.sentence() }
    const failed = { status: 'error', input, error: random.sentence(), time }
    const done = { status: 'completed', input, output: random.sentence(), title: 'done', metadata: { exit: 0 }, time }
    const state = random.chance(0.15) ? failed : random.chance(0.1) ? { ...done, output: '' } : done
    return { type: 'tool', callID: random.id('toolu_01'), tool, state }
  }

  #part(messageID: string, data: Json): StoredPart {
    return { data: { id: this.#next('prt'), sessionID: this.#id, messageID, ...data } }
  }

  #next(prefix: string): string {
    this.#clock += 1 + this.#random.int(900)
    const time = (this.#clock * 4096 + ++this.#count).toString(16).slice(-12)
    return `${prefix}_${time}${this.#random.id('').slice(0, 14)}`
  }
}
