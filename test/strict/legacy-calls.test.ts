import { describe, expect, test } from 'vitest'
import { check, heal } from '../../src/index.ts'
import { history, validHistory } from '../laws/history.ts'
import type { Fields } from '../laws/plan.ts'
import { Random } from '../laws/random.ts'
import { readable } from './readable.ts'
import { type Reader, readers, refusal } from './readers.ts'

const seeds = Array.from({ length: 400 }, (_, index) => 5_000_000 + index)

/** The same with most of its calls as `function_call`, a message for each, and most of its results with the role `function`. */
function withLegacyCalls(messages: readonly unknown[], seed: number): unknown[] {
  const random = new Random(seed)
  const names = new Map<unknown, unknown>()
  return messages.flatMap(message => {
    if (!isFields(message)) return [message]
    if (message.role === 'assistant' && Array.isArray(message.tool_calls)) {
      const { tool_calls: calls, ...said } = message as Fields & { tool_calls: unknown[] }
      for (const call of calls) if (isFields(call) && isFields(call.function)) names.set(call.id, call.function.name)
      if (random.chance(0.2)) return [message]
      return calls.map((call, at) => ({
        ...(at === 0 ? said : { role: 'assistant', content: null }),
        function_call: isFields(call) ? call.function : call,
      }))
    }
    if (message.role !== 'tool' || random.chance(0.2)) return [message]
    const { tool_call_id: id, ...rest } = message
    return [{ ...rest, role: 'function', name: names.get(id) ?? 'look' }]
  })
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The templates that reject the deprecated form. */
const strictTemplates = readers.filter(({ dialect }) => /^(qwen|gemma|mistral)-template$/.test(dialect))

describe.each(strictTemplates)('[SE31] deprecated function calls, for $dialect', reader => {
  const options = { for: reader.dialect, format: reader.format, model: reader.model }
  const refused = (messages: readonly unknown[], { model }: Reader): string | undefined =>
    refusal(messages, { ...reader, model })?.message

  test('whatever was healed is accepted, and healthy', () => {
    let checked = 0
    for (const seed of seeds) {
      const messages = readable(withLegacyCalls(history('openai-chat', seed).messages, seed), reader)
      const healed = heal(messages, options)
      if (healed.length === 0) continue
      expect([seed, refused(healed, reader)]).toEqual([seed, undefined])
      expect(heal(healed, options), `seed ${seed}`).toBe(healed)
      checked++
    }
    expect(checked).toBeGreaterThan(seeds.length / 2)
  })

  test('whatever is healthy is accepted', () => {
    let healthy = 0
    for (const seed of seeds) {
      const valid = heal(validHistory('openai-chat', seed).messages, options) as unknown[]
      const messages = readable(seed % 2 === 0 ? withLegacyCalls(valid, seed) : valid, reader)
      if (check(messages, options).some(({ severity }) => severity === 'error')) continue
      healthy++
      expect([seed, refused(messages, reader)]).toEqual([seed, undefined])
    }
    expect(healthy).toBeGreaterThan(seeds.length / 4)
    expect(healthy).toBeLessThan(seeds.length)
  })

  test('no call and no result is lost', () => {
    for (const seed of seeds.slice(0, 100)) {
      const { messages } = validHistory('openai-chat', seed)
      const healed = JSON.stringify(heal(withLegacyCalls(messages, seed), options))
      for (const word of JSON.stringify(messages).match(/\bw\d+\b/g) ?? [])
        expect(healed, `seed ${seed}`).toContain(word)
    }
  })
})
