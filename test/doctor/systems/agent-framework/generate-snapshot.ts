import type { Random } from '../../../laws/random.ts'
import { number } from './python-json.ts'

export type Fields = Record<string, unknown>

/** A snapshot of a thread, healthy or waiting for an approval, with what is odd and legal in one. */
export function snapshot(random: Random): Fields {
  const spelling = random.chance(0.6) ? snake : camel
  const messages: Fields[] = []
  const writer = new Writer(random, spelling, random.chance(0.3))
  if (random.chance(0.2)) messages.push({ ...writer.head(), role: 'system', content: random.sentence() })
  for (let turn = random.range(1, 5); turn > 0; turn--) writer.turn(messages)
  const interrupt = random.chance(0.2) ? writer.wait(messages) : random.chance(0.2) ? [] : null
  return {
    messages,
    state: random.chance(0.3) ? { document: random.sentence(), score: number('1.0'), at: number('1e5') } : null,
    interrupt,
    session_state: random.chance(0.2) ? { service_session_id: random.id('resp_'), turns: number('3.50') } : null,
  }
}

interface Spelling {
  readonly calls: string
  readonly answers: string
}

const snake: Spelling = { calls: 'tool_calls', answers: 'tool_call_id' }
const camel: Spelling = { calls: 'toolCalls', answers: 'toolCallId' }

class Writer {
  readonly #random: Random
  readonly #spelling: Spelling
  /** Releases before August 2026 also wrote what is not set. */
  readonly #nulls: boolean

  constructor(random: Random, spelling: Spelling, nulls: boolean) {
    this.#random = random
    this.#spelling = spelling
    this.#nulls = nulls
  }

  head(): Fields {
    const name = this.#nulls ? { name: null } : {}
    return { id: this.#random.id('m-'), ...name, ...(this.#random.chance(0.1) ? { cost: number('0.10') } : {}) }
  }

  turn(messages: Fields[]): void {
    const random = this.#random
    messages.push({ ...this.head(), role: 'user', content: this.#words() })
    for (let step = random.range(0, 3); step > 0; step--) {
      if (random.chance(0.15))
        messages.push({ ...this.head(), role: 'reasoning', content: random.sentence(), encrypted_value: 'Zm9v' })
      const calls = this.#calls(random.range(1, 3))
      messages.push(this.#step(calls))
      for (const { id } of calls) messages.push(this.#result(id))
      if (random.chance(0.2)) this.#confirmed(messages)
      if (random.chance(0.3)) messages.push({ ...this.head(), role: 'assistant', content: random.sentence() })
    }
    messages.push({ ...this.head(), role: 'assistant', content: random.sentence() })
  }

  /** A last step of which one call waits for a person. */
  wait(messages: Fields[]): Fields[] {
    const random = this.#random
    const calls = this.#calls(random.range(1, 3))
    const { id, function: called } = random.pick(calls)
    messages.push({ ...this.head(), role: 'user', content: random.sentence() }, this.#step(calls))
    for (const call of calls) if (call.id !== id) messages.push(this.#result(call.id))
    if (random.chance(0.5)) messages.push({ ...this.head(), role: 'assistant', content: random.sentence() })
    const function_call = { call_id: id, ...(called as Fields) }
    const metadata = { agent_framework: { type: 'function_approval_request', function_call } }
    const named = random.chance(0.7) ? { toolCallId: id } : {}
    return [{ id: random.chance(0.5) ? id : random.id('i-'), reason: 'tool_call', ...named, metadata }]
  }

  #words(): unknown {
    const random = this.#random
    if (random.chance(0.85)) return random.sentence()
    const source = { type: 'data', value: 'aGVsbG8=', mimeType: 'image/png' }
    return [
      { type: 'text', text: random.sentence() },
      { type: 'image', source },
    ]
  }

  #calls(count: number): { id: string; type: string; function: unknown }[] {
    const random = this.#random
    return Array.from({ length: count }, () => ({
      id: random.id('call_'),
      type: 'function',
      function: { name: random.pick(names), arguments: JSON.stringify({ text: random.sentence() }) },
    }))
  }

  #step(calls: readonly unknown[]): Fields {
    const words = this.#random.chance(0.3) ? { content: this.#random.sentence() } : this.#nulls ? { content: null } : {}
    return { ...this.head(), role: 'assistant', ...words, [this.#spelling.calls]: calls }
  }

  #result(id: string): Fields {
    const random = this.#random
    const error = random.chance(0.1) ? { error: 'it failed' } : this.#nulls ? { error: null } : {}
    const content = random.chance(0.05)
      ? ''
      : random.chance(0.3)
        ? JSON.stringify({ ok: random.word() })
        : random.sentence()
    return { ...this.head(), role: 'tool', content, [this.#spelling.answers]: id, ...error }
  }

  /** A call that a person was asked about, and the call that asked, both done. */
  #confirmed(messages: Fields[]): void {
    const random = this.#random
    const [call] = this.#calls(1)
    const asked = { function_name: 'deploy', function_call_id: call.id, function_arguments: {}, steps: [] }
    const confirm = {
      id: random.id('confirm_'),
      type: 'function',
      function: { name: 'confirm_changes', arguments: JSON.stringify(asked) },
    }
    const done = this.#result(call.id)
    messages.push(this.#step([call, confirm]), done, { ...this.#result(confirm.id), content: done.content })
  }
}

export const names = ['search', 'read_file', 'deploy', 'get_health', 'send-mail']
