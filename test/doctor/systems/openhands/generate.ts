import { Random } from '../../../laws/random.ts'
import { type Log, rendered } from './log.ts'
import type { Files } from './view.ts'

/** A random healthy conversation as OpenHands keeps it, with odd but legal things in it. */
export function generate(seed: number): Files {
  const random = new Random(seed)
  const writer = new Writer(random, random.chance(0.7))
  writer.open()
  const turns = random.range(1, 4)
  for (let turn = 0; turn < turns; turn++) writer.turn()
  if (random.chance(0.25)) writer.forget()
  if (writer.isTree && random.chance(0.25)) writer.goBack()
  if (random.chance(0.2)) writer.wait()
  return rendered(writer.log(), random)
}

/** A number as Python writes it: `json` puts it into the text unchanged. */
const raw = (digits: string): string => `@raw:${digits}`

export const json = (value: unknown): string => JSON.stringify(value).replace(/"@raw:([^"]+)"/g, '$1')

export const eventId = (random: Random): string => {
  const hex = Array.from({ length: 32 }, () => random.int(16).toString(16)).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}

export const text = (words: string): object => ({ cache_prompt: false, type: 'text', text: words })

class Writer {
  readonly random: Random
  readonly isTree: boolean
  readonly #events: string[] = []
  #status = 'finished'
  #head: string | undefined
  #clock = 0
  #responses = 0
  /** The ids of messages, and where each turn began, for condensations and for going back. */
  #turns: { readonly before: string | undefined; readonly ids: string[] }[] = []
  readonly #isThinking: boolean
  readonly #origin: string

  constructor(random: Random, isTree: boolean) {
    this.random = random
    this.isTree = isTree
    this.#isThinking = random.chance(0.3)
    this.#origin = random.chance(0.3) ? 'responses' : 'completion'
  }

  open(): void {
    const { random } = this
    const context = random.chance(0.3) ? { dynamic_context: text(random.sentence()) } : {}
    this.#add('agent', { system_prompt: text('You are OpenHands agent.'), tools: [], ...context }, 'SystemPromptEvent')
  }

  turn(): void {
    const { random } = this
    this.#turns.push({ before: this.#head, ids: [] })
    this.#say('user')
    const steps = random.range(0, 3)
    for (let step = 0; step < steps; step++) this.#step()
    if (random.chance(0.85)) this.#say('agent')
    if (random.chance(0.3)) this.#aside()
  }

  /** The program forgets a turn, and sums it up; once it was not so careful where to cut. */
  forget(): void {
    const [first, ...later] = this.#turns
    if (!first || later.length === 0) return
    const half = (ids: string[]): string[] => ids.slice(0, this.random.range(1, ids.length))
    const summary = this.random.chance(0.8) ? { summary: this.random.sentence(), summary_offset: 1 } : {}
    const ids = {
      forgotten_event_ids: this.random.chance(0.7) ? first.ids : half(first.ids),
      ...summary,
      llm_response_id: this.#response(),
    }
    this.#add('environment', ids, 'Condensation')
    this.#say('user')
  }

  /** The user goes back to where a turn began, and writes something else there. */
  goBack(): void {
    const turn = this.random.pick(this.#turns)
    if (turn.before === undefined) return
    this.#head = turn.before
    this.turn()
  }

  /** The last step waits for a person to confirm it. */
  wait(): void {
    this.#say('user')
    this.#step('waiting')
    this.#status = 'waiting_for_confirmation'
  }

  log(): Log {
    const { random } = this
    const base: Record<string, unknown> = {
      id: eventId(random),
      agent: { llm: { model: 'gpt-5', temperature: raw('1.0'), num_retries: 5 }, tools: [], kind: 'Agent' },
      workspace: { working_dir: '/workspace/project', kind: 'LocalWorkspace' },
      persistence_dir: 'workspace/conversations/x',
      max_iterations: 500,
      execution_status: this.#status,
      confirmation_policy: { kind: this.#status.startsWith('waiting') ? 'AlwaysConfirm' : 'NeverConfirm' },
      blocked_actions: {},
      ...(this.isTree ? { leaf_event_id: this.#head, head_is_empty: false } : {}),
      stats: { usage_to_metrics: { agent: { accumulated_cost: raw(random.pick(['0.0', '1e-05', '12.50'])) } } },
      agent_state: {},
    }
    return { base: json(base), events: this.#events }
  }

  #add(source: string, fields: Record<string, unknown>, kind: string, isAside = false): string {
    const { random } = this
    const id = eventId(random)
    this.#clock += random.range(1, 9_000)
    const time = new Date(Date.UTC(2026, 1, 27, 8, 15) + this.#clock).toISOString().replace('Z', '000')
    const parent = this.isTree && this.#head !== undefined ? { parent_id: this.#head } : {}
    const odd = random.chance(0.08) ? { x_future: { ratio: raw('1.50'), list: [null, raw('1E5')] } } : {}
    this.#events.push(json({ id, timestamp: time, source, ...parent, ...fields, ...odd, kind }))
    if (!isAside || !this.isTree) this.#head = id
    this.#turns.at(-1)?.ids.push(id)
    return id
  }

  #response(): string {
    this.#responses += 1
    return this.random.id(`chatcmpl-${this.#responses}-`)
  }

  #thinking(): object[] {
    if (!this.#isThinking) return []
    return [{ type: 'thinking', thinking: this.random.sentence(), signature: this.random.id('sig') }]
  }

  #say(who: 'user' | 'agent'): void {
    const { random } = this
    const content: object[] = [text(random.sentence())]
    if (who === 'user' && random.chance(0.15))
      content.push({ cache_prompt: false, type: 'image', image_urls: ['data:image/png;base64,iVBORw0KGgo='] })
    const message = { role: who === 'user' ? 'user' : 'assistant', content, thinking_blocks: [] }
    const more = who === 'user' && random.chance(0.2) ? [text(random.sentence())] : []
    const response = who === 'agent' ? { llm_response_id: this.#response() } : {}
    const fields = { llm_message: message, ...response, activated_skills: [], extended_content: more }
    this.#add(who, fields, 'MessageEvent')
  }

  /** Actions of one response, and their results, in any order. */
  #step(state?: 'waiting'): void {
    const { random } = this
    const response = this.#response()
    const count = random.pick([1, 1, 2, 3])
    const calls: { name: string; call: string; action: string; isRun: boolean }[] = []
    for (let index = 0; index < count; index++) {
      const name = random.pick(['terminal', 'file_editor', 'mcp_search'])
      const isRun = state !== undefined || index < count - 1 || random.chance(0.9)
      const call = random.id('call_')
      const command = random.sentence()
      const item = this.#origin === 'responses' ? { responses_item_id: random.id('fc_') } : {}
      const fields = {
        thought: index === 0 && random.chance(0.7) ? [text(random.sentence())] : [],
        thinking_blocks: index === 0 ? this.#thinking() : [],
        ...(isRun ? { action: { command, is_input: false, kind: 'TerminalAction' } } : {}),
        tool_name: name,
        tool_call_id: call,
        tool_call: { id: call, ...item, name, arguments: JSON.stringify({ command }), origin: this.#origin },
        llm_response_id: response,
        security_risk: 'LOW',
      }
      calls.push({ name, call, action: this.#add('agent', fields, 'ActionEvent'), isRun })
      if (random.chance(0.05)) this.#aside()
    }
    const answered = state
      ? calls.slice(0, random.int(calls.length))
      : random.chance(0.3)
        ? random.shuffle(calls)
        : calls
    for (const { name, call, action, isRun } of answered) this.#answer(name, call, action, isRun)
  }

  #answer(name: string, call: string, action: string, isRun: boolean): void {
    const { random } = this
    const tool = { tool_name: name, tool_call_id: call }
    const fate = random.next()
    if (!isRun || fate < 0.1) {
      const words = isRun ? random.sentence() : `Error validating args: ${random.sentence()}`
      const kind = random.chance(0.5)
        ? { classification: { kind: 'agent_action', retryable: false, user_action: 'none' } }
        : {}
      this.#add('agent', { ...tool, error: words, ...kind }, 'AgentErrorEvent')
    } else if (fate < 0.2) {
      const rejection = { ...tool, action_id: action, rejection_reason: random.sentence(), rejection_source: 'user' }
      this.#add('environment', rejection, 'UserRejectObservation')
    } else {
      const observation = {
        content: [text(random.sentence())],
        is_error: this.#origin === 'completion' && random.chance(0.1),
        exit_code: 0,
        timeout: raw('30.0'),
        kind: 'TerminalObservation',
      }
      this.#add('environment', { ...tool, observation, action_id: action, extended_content: [] }, 'ObservationEvent')
    }
  }

  /** Something that no model sees. */
  #aside(): void {
    const { random } = this
    const kind = random.pick(['ConversationStateUpdateEvent', 'PauseEvent', 'HookExecutionEvent', 'EventOfTomorrow'])
    if (kind === 'ConversationStateUpdateEvent') {
      this.#add('environment', { key: 'execution_status', value: 'running' }, kind, true)
    } else
      this.#add(kind === 'PauseEvent' ? 'user' : 'hook', kind === 'PauseEvent' ? {} : { note: random.sentence() }, kind)
  }
}
