import type { Random } from '../../../laws/random.ts'
import { type Fields, names } from './generate-snapshot.ts'
import { number } from './python-json.ts'

/** The messages of a session's history, healthy or waiting for an approval, one for each line. */
export function historyMessages(random: Random): Fields[] {
  const writer = new Writer(random, random.chance(0.15))
  for (let turn = random.range(1, 5); turn > 0; turn--) writer.turn()
  if (random.chance(0.2)) writer.wait()
  return writer.messages
}

class Writer {
  readonly messages: Fields[] = []
  readonly #random: Random
  /** As the first releases wrote it. */
  readonly #isOld: boolean

  constructor(random: Random, isOld: boolean) {
    this.#random = random
    this.#isOld = isOld
  }

  turn(): void {
    const random = this.#random
    const image = { type: 'uri', uri: 'https://example.test/a.png', media_type: 'image/png' }
    this.#say('user', random.chance(0.1) ? [this.#text(), image] : [this.#text()])
    for (let step = random.range(0, 3); step > 0; step--) {
      const calls = this.#calls(random.range(1, 3))
      this.#say('assistant', [...this.#reasoning(), ...(random.chance(0.3) ? [this.#text()] : []), ...calls])
      if (random.chance(0.15)) this.#approved(calls)
      else if (random.chance(0.8))
        this.#say(
          'tool',
          calls.map(call => this.#result(call)),
        )
      else for (const call of calls) this.#say('tool', [this.#result(call)])
    }
    this.#say('assistant', [this.#text()])
  }

  /** A last step of which a call waits for a person, and with it the whole step. */
  wait(): void {
    const calls = this.#calls(this.#random.range(1, 2))
    this.#say('user', [this.#text()])
    this.#say('assistant', [...calls, ...calls.map(call => this.#request(call))])
  }

  #approved(calls: readonly Fields[]): void {
    const asked = this.messages.at(-1) as { contents: Fields[] }
    asked.contents.push(...calls.map(call => this.#request(call)))
    const answered = calls.map(function_call => ({
      type: 'function_approval_response',
      id: function_call.call_id,
      approved: true,
      function_call,
    }))
    this.#say('user', answered)
    this.#say(
      'tool',
      calls.map(call => this.#result(call)),
    )
  }

  #request = (function_call: Fields): Fields => ({
    type: 'function_approval_request',
    id: function_call.call_id,
    function_call,
    user_input_request: true,
  })

  #say(role: string, contents: unknown[]): void {
    const random = this.#random
    this.messages.push({
      type: this.#isOld ? 'chat_message' : 'message',
      role: this.#isOld ? { type: 'role', value: role } : role,
      contents,
      ...(role === 'assistant' && random.chance(0.3) ? { author_name: 'helper' } : {}),
      ...(random.chance(0.5) ? { message_id: random.id('msg_') } : {}),
      additional_properties: random.chance(0.2) ? { tokens: number('1e3'), share: number('0.50') } : {},
    })
  }

  #text = (): Fields => ({ type: 'text', text: this.#random.sentence() })

  #reasoning(): Fields[] {
    return this.#random.chance(0.2) ? [{ type: 'text_reasoning', text: 'so be it', protected_data: '[]' }] : []
  }

  #calls(count: number): Fields[] {
    const random = this.#random
    return Array.from({ length: count }, () => ({
      type: 'function_call',
      call_id: random.id('call_'),
      name: random.pick(names),
      arguments: JSON.stringify({ text: random.sentence() }),
    }))
  }

  #result({ call_id }: Fields): Fields {
    const random = this.#random
    const text = random.sentence()
    const items = random.chance(0.5) ? { items: [{ type: 'text', text }] } : {}
    const exception = random.chance(0.1) ? { exception: 'ValueError: no' } : {}
    return { type: 'function_result', call_id, result: text, ...items, ...exception }
  }
}
