import { Random } from '../../../laws/random.ts'
import type { Row } from './rows.ts'

/** A row with everything that the table has. */
export interface FullRow extends Row {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly cost_usd: number
  readonly created_at: string
}

export interface Chat {
  readonly id: string
  readonly title: string
  readonly provider: string
  readonly rows: readonly FullRow[]
}

/** What the tables hold: one chat or several, each with its rows in order. */
export interface Store {
  readonly chats: readonly Chat[]
}

/** A healthy store, as the writer of Instatic makes it in any of its ages. The same seed gives the same store. */
export function generate(seed: number): Store {
  const random = new Random(seed)
  return { chats: Array.from({ length: random.range(1, 3) }, () => chat(random)) }
}

export const providers = ['anthropic', 'openai', 'openrouter', 'requesty', 'ollama', 'openai-compatible', 'minimax']

function chat(random: Random): Chat {
  const id = nanoid(random)
  const writer = new Writer(random, id)
  for (let turn = random.range(1, 6); turn > 0; turn--) writeTurn(writer)
  if (random.chance(0.15)) writer.user()
  const rows = withPositions(writer.rows, random.chance(0.2) ? random.range(1, 90) : 0, random)
  return { id, title: random.sentence(), provider: random.pick(providers), rows }
}

function writeTurn(writer: Writer): void {
  const { random } = writer
  writer.user()
  if (random.chance(0.1)) writer.push({ ...writer.rows[writer.rows.length - 1], id: nanoid(random) })
  for (let step = random.int(4); step > 0; step--) {
    if (random.chance(0.5)) writer.assistant([{ kind: 'text', text: random.sentence() }])
    writer.step(random.chance(0.5) ? 1 : random.range(2, 4))
  }
  if (random.chance(0.9)) writer.assistant([{ kind: 'text', text: random.sentence() }], { usage: true })
}

class Writer {
  readonly random: Random
  readonly rows: FullRow[] = []
  readonly #chat: string
  readonly #isLegacy: boolean
  readonly #counts: boolean
  readonly #reusesIds: boolean
  #time = Date.UTC(2026, 5, 1, 9)
  #calls = 0

  constructor(random: Random, chat: string) {
    this.random = random
    this.#chat = chat
    this.#isLegacy = random.chance(0.25)
    this.#reusesIds = random.chance(0.15)
    this.#counts = random.chance(0.5)
  }

  push(row: FullRow): void {
    this.#time += this.random.range(20, 90_000)
    this.rows.push({ ...row, created_at: new Date(this.#time).toISOString() })
  }

  user(): void {
    const { random } = this
    const blocks: unknown[] = [{ kind: 'text', text: random.sentence() }]
    if (random.chance(0.15)) blocks.push({ kind: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' })
    if (random.chance(0.1)) blocks.push({ kind: 'text', text: random.sentence(), origin: 'studio' })
    this.#row('user', blocks)
  }

  assistant(blocks: unknown[], { call, usage = false }: { call?: [string, string]; usage?: boolean } = {}): void {
    this.#row('assistant', blocks, call, usage)
  }

  /** Some calls at once, a row each, followed by their results. */
  step(count: number): void {
    const { random } = this
    const calls = Array.from({ length: count }, (_, index): [string, string] => [
      this.#reusesIds ? `call_${index}` : random.id('call_'),
      random.pick(['insertHtml', 'site_apply_css', 'read_document', 'render_snapshot']),
    ])
    this.#calls += count
    if (random.chance(0.05)) {
      const blocks = calls.map(call => callBlock(call, random))
      this.assistant([{ kind: 'text', text: random.sentence() }, ...blocks])
    } else for (const call of calls) this.assistant([callBlock(call, random)], { call })
    const order = random.chance(0.2) ? random.shuffle(calls) : calls
    for (const call of order) this.#row('tool', [this.#outcome()], call)
  }

  #outcome(): unknown {
    const { random } = this
    const fails = random.chance(0.2)
    if (this.#isLegacy) return { kind: 'text', text: fails ? random.sentence() : '' }
    if (!fails) return { kind: 'toolResult', ok: true, ...(random.chance(0.1) ? { tookMs: 12 } : {}) }
    const interrupted = 'Tool call did not complete — the previous turn was interrupted before a result was produced.'
    return { kind: 'toolResult', ok: false, error: random.chance(0.3) ? interrupted : random.sentence() }
  }

  #row(role: string, blocks: unknown[], [callId, name]: [string | null, string | null] = [null, null], usage = false) {
    this.push({
      id: nanoid(this.random),
      conversation_id: this.#chat,
      position: 0,
      role,
      content_json: written(blocks, this.random),
      tool_call_id: callId,
      tool_name: name,
      prompt_tokens: usage && this.#counts ? this.random.int(5_000) : 0,
      completion_tokens: usage && this.#counts ? this.random.int(500) : 0,
      cost_usd: usage && this.#counts ? this.random.int(9_999) / 1_000_000 : 0,
      created_at: '',
    })
  }
}

const callBlock = ([toolCallId, toolName]: [string, string], random: Random): unknown => ({
  kind: 'toolCall',
  toolCallId,
  toolName,
  input: random.chance(0.1) ? {} : { parentId: random.word(), html: random.sentence(), depth: random.int(9) },
  ...(random.chance(0.1) ? { signature: random.id('sig_') } : {}),
})

/** JSON as the program writes it, and now and then as others might: with spaces, escapes and long-winded numbers. */
function written(blocks: unknown[], random: Random): string {
  if (random.chance(0.9)) return JSON.stringify(blocks)
  const spaced = JSON.stringify(blocks, null, random.pick([1, '\t'])).replace(/"depth": (\d)/, '"depth": $1.0e0')
  return spaced.replace(/[\u0080-\uffff]/g, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Positions in order, now and then with gaps. */
export function withPositions(rows: readonly FullRow[], first: number, random: Random): FullRow[] {
  const leaves = random.chance(0.3)
  let position = first - 1
  return rows.map(row => {
    position += leaves && random.chance(0.1) ? random.range(2, 9) : 1
    return { ...row, position }
  })
}

export function nanoid(random: Random): string {
  const letters = 'useandom-26T198340PX75pxJACKVERYMINDBUSHWOLF_GQZbfghjklqvwyzrict'
  return Array.from({ length: 21 }, () => letters[random.int(64)]).join('')
}
