import type { Random } from '../../../laws/random.ts'
import type { Json } from './rollout.ts'

type Mode = 'legacy' | 'paginated'
type Base = { thread_id: string; end_ordinal_exclusive: number; end_byte_offset: number }

/** Writes a rollout as Codex does, record by record, with numbers, escapes and fields that only a careful hand keeps. */
export class RolloutWriter {
  readonly lines: string[] = []
  readonly #random: Random
  readonly #mode: Mode
  readonly #id: string
  readonly #base: Base | undefined
  readonly #hasIds: boolean
  readonly #ending: string
  #history: Json[] = []
  #clock = Date.UTC(2026, 4, 14, 10, 22)
  #turnEnd = 0
  #windows = 0

  constructor(random: Random, mode: Mode, base?: Base) {
    this.#random = random
    this.#mode = mode
    this.#base = base
    this.#id = uuid(random)
    this.#hasIds = random.chance(0.6)
    this.#ending = mode === 'legacy' && random.chance(0.1) ? '\r\n' : '\n'
    const [cwd, origin] = ['/home/dev/app', { originator: 'codex_cli_rs', cli_version: '0.145.0', source: 'cli' }]
    const history = { history_mode: mode, ...(base ? { history_base: base, forked_from_id: base.thread_id } : {}) }
    const text = { text: 'You are Codex.' }
    const meta = { id: this.#id, cwd, ...origin, model_provider: 'openai', base_instructions: text, ...history }
    this.#write('session_meta', { session_id: this.#id, timestamp: '2026-05-14T10:22:00.000Z', ...meta })
  }

  get path(): string {
    return `sessions/2026/05/14/rollout-2026-05-14T10-22-00-${this.#id}.jsonl`
  }

  bytes(): Buffer {
    const isOpen = this.#mode === 'legacy' && this.#id.endsWith('0')
    return Buffer.from(this.lines.join('')).subarray(0, isOpen ? -this.#ending.length : undefined)
  }

  /** A fork of everything here up to the end of the last turn. */
  fork(): RolloutWriter {
    const end = Buffer.byteLength(this.lines.slice(0, this.#turnEnd).join(''))
    const ordinal = (this.#base?.end_ordinal_exclusive ?? 0) + this.#turnEnd
    return new RolloutWriter(this.#random, 'paginated', {
      thread_id: this.#id,
      end_ordinal_exclusive: ordinal,
      end_byte_offset: end,
    })
  }

  turn(): void {
    const random = this.#random
    const turn = { turn_id: uuid(random) }
    this.#event('task_started', { ...turn, model_context_window: 272000, collaboration_mode_kind: 'default' })
    this.#write('turn_context', {
      ...turn,
      cwd: '/home/dev/app',
      approval_policy: 'on-request',
      model: 'gpt-5.1-codex',
    })
    if (random.chance(0.2)) this.#aside()
    const words = random.sentence()
    this.#item({ type: 'message', role: 'user', content: this.#content(words) })
    this.#event('user_message', { message: words, images: [], local_images: [], text_elements: [] })
    const steps = random.range(0, 3)
    for (let step = 0; step < steps; step++) this.#step()
    const answer = random.sentence()
    if (this.#hasIds && random.chance(0.5)) this.#reasoning()
    this.#event('agent_message', { message: answer, phase: null, memory_citation: null })
    this.#item({
      type: 'message',
      ...this.#itemId('msg'),
      role: 'assistant',
      content: [{ type: 'output_text', text: answer }],
    })
    this.#event('task_complete', { ...turn, last_agent_message: answer })
    this.#turnEnd = this.lines.length
  }

  /** The words of the user so far and perhaps the last calls are all that stays. */
  compaction(): void {
    const random = this.#random
    const isOld = this.#mode === 'legacy' && random.chance(0.2)
    const words = this.#history.filter(({ role }) => role === 'user').slice(-3)
    const calls = random.chance(0.5) ? [] : this.#calls(random.range(1, 2)).flatMap(call => [call, this.#answer(call)])
    const summary = {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: `Summary: ${random.sentence()}` }],
    }
    const replacement = [...words, ...calls, summary]
    const metadata = random.chance(0.2)
      ? { replacement_history_metadata: replacement.map(() => ({ client_authored: false })) }
      : {}
    this.#windows += 1
    const whole = { replacement_history: replacement, ...metadata, window_number: this.#windows }
    this.#write('compacted', { message: 'Summary', ...(isOld ? {} : whole) })
    this.#history = isOld ? words : replacement
    if (random.chance(0.5)) this.#event('context_compacted', {})
  }

  rollback(): void {
    this.#event('thread_rolled_back', { num_turns: 1 })
  }

  #step(): void {
    const random = this.#random
    if (random.chance(0.5)) this.#reasoning()
    if (random.chance(0.3)) {
      this.#item({
        type: 'message',
        ...this.#itemId('msg'),
        role: 'assistant',
        content: [{ type: 'output_text', text: random.sentence() }],
        phase: 'commentary',
      })
    }
    if (random.chance(0.15))
      this.#item({
        type: 'web_search_call',
        ...this.#itemId('ws'),
        status: 'completed',
        action: { type: 'search', query: random.word() },
      })
    const calls = this.#calls(random.chance(0.6) ? 1 : random.range(2, 4))
    for (const call of calls) this.#item(call)
    if (random.chance(0.2)) this.#aside()
    if (random.chance(0.1))
      this.#item({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: random.sentence() }] })
    for (const call of random.chance(0.3) ? random.shuffle(calls) : calls) this.#item(this.#answer(call))
    if (random.chance(0.5)) this.#event('token_count', { info: { total: raw('1.0'), used_percent: raw('26.0') } })
  }

  #calls(count: number): Json[] {
    return Array.from({ length: count }, () => {
      const random = this.#random
      const id = random.id('call_')
      const kind = random.int(8)
      if (kind === 0) {
        const action = {
          type: 'exec',
          command: ['bash', '-lc', 'npm test'],
          timeout_ms: null,
          working_directory: null,
          env: null,
          user: null,
        }
        return { type: 'local_shell_call', ...this.#itemId('lsh'), call_id: id, status: 'completed', action }
      }
      if (kind === 1)
        return {
          type: 'custom_tool_call',
          ...this.#itemId('ctc'),
          status: 'completed',
          call_id: id,
          name: 'apply_patch',
          input: '*** Begin Patch',
        }
      if (kind === 2) {
        return {
          type: 'tool_search_call',
          ...this.#itemId('tsc'),
          call_id: id,
          status: 'completed',
          execution: 'client',
          arguments: { query: random.word(), limit: raw('5.0') },
        }
      }
      const input = JSON.stringify({ cmd: random.sentence() })
      return { type: 'function_call', ...this.#itemId('fc'), name: 'exec_command', arguments: input, call_id: id }
    })
  }

  #answer({ type, call_id: id }: Json): Json {
    const random = this.#random
    if (type === 'tool_search_call') {
      return {
        type: 'tool_search_output',
        call_id: id,
        status: 'completed',
        execution: 'client',
        tools: [{ type: 'function', name: random.word() }],
      }
    }
    const answer = type === 'custom_tool_call' ? 'custom_tool_call_output' : 'function_call_output'
    const text = random.chance(0.1)
      ? 'aborted by user after 3.2s'
      : `Exit code: ${random.int(2)}\nOutput:\n${random.sentence()}`
    const image = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' }
    const output = random.chance(0.15) ? [{ type: 'input_text', text }, image] : text
    return { type: answer, call_id: id, output }
  }

  #reasoning(): void {
    const cipher = `gAAAAAB${this.#random.id('')}`
    this.#item({ type: 'reasoning', ...this.#itemId('rs'), summary: [], content: null, encrypted_content: cipher })
  }

  #itemId(prefix: string): Json {
    return this.#hasIds ? { id: this.#random.id(`${prefix}_`) } : {}
  }

  #content(text: string): Json[] {
    const words = [{ type: 'input_text', text }]
    return this.#random.chance(0.1)
      ? [...words, { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }]
      : words
  }

  #item(payload: Json): void {
    this.#history.push(payload)
    this.#write(
      'response_item',
      this.#random.chance(0.1) ? { ...payload, later_field: { a: raw('1e5'), b: 'é' } } : payload,
    )
  }

  #event(type: string, payload: Json): void {
    this.#write('event_msg', { type, ...payload })
  }

  #aside(): void {
    const kind = this.#random.int(3)
    if (kind === 0) this.#write('world_state', { cwd: '/home/dev/app', size: raw('12.50') })
    else if (kind === 1) this.#write('security_risk_score', { score: raw('1E-2') })
    else this.#write('record_of_a_later_version', { note: this.#random.word() })
  }

  #write(type: string, payload: Json): void {
    this.#clock += this.#random.range(1, 900)
    const timestamp = new Date(this.#clock).toISOString()
    const ordinal =
      this.#mode === 'paginated' ? { ordinal: (this.#base?.end_ordinal_exclusive ?? 0) + this.lines.length } : {}
    const line = JSON.stringify({ timestamp, ...ordinal, type, payload })
    this.lines.push(line.replace(/"@raw ([^"]*)"/g, '$1').replaceAll('é', '\\u00e9') + this.#ending)
  }
}

/** A number as it is written in the file. */
const raw = (text: string): string => `@raw ${text}`

function uuid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.int(16).toString(16)).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), `7${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-')
}
