import { Random } from '../../../laws/random.ts'

export { corrupt } from './corrupt.ts'

export type Files = Map<string, Buffer>
type Json = Record<string, unknown>

/** A random healthy session of Claude Code with the files around it. */
export function generate(seed: number): Files {
  const random = new Random(seed)
  const session = uuid(random)
  const folder = `projects/-home-ada-${random.pick(['app', 'shop', 'notes'])}`
  const main = new Writer(random, session)
  main.preamble()
  const turns = random.range(1, 6)
  for (let turn = 0; turn < turns; turn++) {
    if (turn > 0 && random.chance(0.15)) main.compact()
    if (random.chance(0.1)) main.abandoned()
    main.turn()
  }
  if (random.chance(0.3)) main.note({ type: 'last-prompt', lastPrompt: random.sentence(), sessionId: session })
  const files: Files = new Map([[`${folder}/${session}.jsonl`, main.bytes()]])
  if (random.chance(0.4)) {
    const id = random.id('a').slice(0, 17).toLowerCase()
    const agent = new Writer(random, session, id)
    agent.turn()
    files.set(`${folder}/${session}/subagents/agent-${id}.jsonl`, agent.bytes())
    files.set(`${folder}/${session}/subagents/agent-${id}.meta.json`, Buffer.from('{"agentType":"Explore"}'))
  }
  return files
}

/** Writes records as the program does: one line for each block, each linked to the one it follows. */
class Writer {
  readonly #lines: string[] = []
  readonly #random: Random
  readonly #session: string
  readonly #agent: string | undefined
  /** Results of newer versions are attached to the line of their call; those of older ones to the previous line. */
  readonly #branches: boolean
  /** Some programs write a response, and the results of a step, as one line each. */
  readonly #whole: boolean
  #clock: number
  #last: string | null = null
  /** The prompt of the turn at hand. */
  #asked: string | undefined

  constructor(random: Random, session: string, agent?: string) {
    this.#random = random
    this.#session = session
    this.#agent = agent
    this.#branches = random.chance(0.6)
    this.#whole = random.chance(0.2)
    this.#clock = Date.UTC(2026, random.int(12), 3, 9)
  }

  bytes(): Buffer {
    const end = this.#random.chance(0.1) ? '' : '\n'
    return Buffer.from(this.#lines.join('\n') + end)
  }

  preamble(): void {
    const random = this.#random
    if (random.chance(0.3)) this.note({ type: 'summary', summary: random.sentence(), leafUuid: uuid(random) })
    if (random.chance(0.5)) this.note({ type: 'mode', mode: 'normal', sessionId: this.#session })
    if (random.chance(0.5)) this.note({ type: 'file-history-snapshot', messageId: uuid(random), snapshot: {} })
  }

  note(record: Json): void {
    this.#lines.push(JSON.stringify(record))
  }

  turn(): void {
    const random = this.#random
    if (random.chance(0.2)) this.#attachment()
    this.#ask()
    const steps = random.int(4)
    for (let step = 0; step < steps; step++) this.#step()
    if (steps > 0 && random.chance(0.1)) this.#interrupted()
    else if (random.chance(0.05)) this.#failure()
    else this.#respond([...this.#thought(), { type: 'text', text: random.sentence() }], 'end_turn')
    if (random.chance(0.3)) this.#add('system', { subtype: 'turn_duration', durationMs: 1200, isMeta: false })
  }

  /** A prompt that was recalled and typed anew: its answer stays in the file, and nothing follows it. */
  abandoned(): void {
    const at = this.#last
    this.#ask()
    if (this.#random.chance(0.5)) this.#respond([{ type: 'text', text: this.#random.sentence() }], 'end_turn')
    this.#last = at
    this.#asked = undefined
  }

  compact(): void {
    const random = this.#random
    const logical = this.#last
    this.#last = null
    const anchorUuid = uuid(random)
    const kept =
      random.chance(0.4) && this.#asked ? { headUuid: this.#asked, anchorUuid, tailUuid: logical } : undefined
    const compactMetadata = {
      trigger: random.pick(['auto', 'manual']),
      preTokens: 155_000,
      ...(kept && { preservedSegment: kept }),
    }
    this.#add('system', {
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      logicalParentUuid: logical,
      level: 'info',
      compactMetadata,
    })
    const content = `This session is being continued from a previous conversation. ${random.sentence()}`
    const flags = { isCompactSummary: true, isVisibleInTranscriptOnly: true }
    this.#add('user', { ...flags, message: { role: 'user', content } }, anchorUuid)
  }

  #ask(): void {
    const random = this.#random
    const text = { type: 'text', text: random.sentence() }
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }
    const content = random.chance(0.7) ? text.text : random.chance(0.5) ? [text] : [text, image]
    const future = random.chance(0.2) && { future: { level: 1.5 } }
    this.#asked = this.#add('user', { message: { role: 'user', content }, ...future })
  }

  #step(): void {
    const random = this.#random
    const calls = Array.from({ length: random.pick([1, 1, 1, 2, 2, 3, 5]) }, () => this.#call())
    const words = random.chance(0.4) ? [{ type: 'text', text: random.sentence() }] : []
    const lines = this.#respond([...this.#thought(), ...words, ...calls], 'tool_use').slice(-calls.length)
    if (this.#whole) {
      this.#results(calls.map(({ id }) => String(id)))
      return
    }
    const order = random.chance(0.3) ? random.shuffle([...calls.keys()]) : [...calls.keys()]
    const first = order[0]
    for (const index of order) {
      if (random.chance(0.1)) this.#progress(String(calls[index].id))
      const parent = this.#branches ? lines[index] : index === first ? (lines.at(-1) as string) : (this.#last as string)
      this.#result(String(calls[index].id), parent, lines[index])
    }
  }

  #call(): Json {
    const random = this.#random
    const name = random.pick(['Bash', 'Read', 'Edit', 'Task', 'mcp__docs__search'])
    return { type: 'tool_use', id: random.id('toolu_01'), name, input: { command: random.sentence() } }
  }

  #thought(): Json[] {
    const random = this.#random
    if (!random.chance(0.4)) return []
    const text = random.chance(0.3) ? '' : random.sentence()
    return [{ type: 'thinking', thinking: text, signature: random.id('EqQB') }]
  }

  /** A response, one line a block. Gives the uuids of its lines. */
  #respond(blocks: Json[], stop: string): string[] {
    const id = this.#random.id('msg_01')
    const usage = { input_tokens: 4, output_tokens: 96, service_tier: 'standard' }
    const requestId = this.#random.id('req_01')
    const groups = this.#whole ? [blocks] : blocks.map(block => [block])
    return groups.map((content, index) => {
      const stop_reason = index === groups.length - 1 ? stop : null
      const rest = { stop_reason, stop_sequence: null, usage }
      const message = { model: 'claude-opus-4-5', id, type: 'message', role: 'assistant', content, ...rest }
      return this.#add('assistant', { message, requestId })
    })
  }

  #results(ids: readonly string[]): void {
    const random = this.#random
    const content: Json[] = ids.map(id => ({ tool_use_id: id, type: 'tool_result', content: random.sentence() }))
    if (random.chance(0.2)) content.push({ type: 'text', text: random.sentence() })
    this.#add('user', { message: { role: 'user', content } })
  }

  #result(id: string, parent: string, source: string, text = this.#random.sentence(), failed = false): void {
    const random = this.#random
    const isError = failed || random.chance(0.15)
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }
    const content = random.chance(0.7) ? text : [{ type: 'text', text }, ...(random.chance(0.3) ? [image] : [])]
    const block = { tool_use_id: id, type: 'tool_result', content, ...(isError && { is_error: true }) }
    const toolUseResult = isError ? `Error: ${text}` : { stdout: text, stderr: '', interrupted: false }
    this.#last = parent
    this.#add('user', {
      message: { role: 'user', content: [block] },
      toolUseResult,
      ...(this.#branches && { sourceToolAssistantUUID: source }),
    })
  }

  /** The user stops the turn: each call gets a result that says so, and a separate line says it again. */
  #interrupted(): void {
    const call = this.#call()
    const [line] = this.#respond([call], 'tool_use')
    this.#result(String(call.id), line, line, 'The user does not want to take this action right now.', true)
    const text = '[Request interrupted by user for tool use]'
    this.#add('user', { message: { role: 'user', content: [{ type: 'text', text }] } })
  }

  /** An error of the API, which the program writes down as words of the assistant and never sends. */
  #failure(): void {
    const content = [{ type: 'text', text: 'API Error: 529 Overloaded' }]
    this.#add('assistant', {
      message: { id: uuid(this.#random), model: '<synthetic>', role: 'assistant', type: 'message', content },
      error: 'overloaded',
      isApiErrorMessage: true,
    })
  }

  #attachment(): void {
    this.#add('attachment', { attachment: { type: 'todo_reminder', content: [], itemCount: 0 } })
  }

  /** Older versions linked progress into the chain. */
  #progress(toolUseID: string): void {
    const at = this.#last
    this.#add('progress', { data: { type: 'hook_progress', hookEvent: 'PreToolUse' }, toolUseID })
    if (this.#branches) this.#last = at
  }

  #add(type: string, rest: Json, id = uuid(this.#random)): string {
    const random = this.#random
    this.#clock += random.range(1, 90_000)
    const record = {
      parentUuid: this.#last,
      isSidechain: this.#agent !== undefined,
      ...(this.#agent && { agentId: this.#agent }),
      userType: 'external',
      cwd: '/home/ada/app',
      sessionId: this.#session,
      version: '2.1.205',
      type,
      ...rest,
      uuid: id,
      timestamp: new Date(this.#clock).toISOString(),
    }
    const text = JSON.stringify(record)
    this.#lines.push(random.chance(0.05) ? text.replace('"isSidechain"', '"weight":1.0,"big":1e5,"isSidechain"') : text)
    this.#last = id
    return id
  }
}

export function uuid(random: Random): string {
  const hex = (length: number): string => Array.from({ length }, () => random.int(16).toString(16)).join('')
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`
}
