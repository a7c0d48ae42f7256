import { expect, test } from 'vitest'
import { planFor } from '../../src/heal/options.ts'
import { repairWhole } from '../../src/heal/segments/repair-segments.ts'
import { createHealer, heal } from '../../src/index.ts'
import { seedsOf } from '../sample.ts'
import { Random } from './random.ts'

interface Message {
  role: string
  content: string | null
  name?: string
  tool_call_id?: string
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
}

const readers = ['openai', 'deepseek', 'mistral', 'qwen-template'] as const

/** Turns are mostly healthy here, so that they are healed one by one, and what strays finds calls of its id in each of them. */
test('[L13] [L14] results that stray between turns whose ids are counted anew are healed alike, turn by turn and at once', () => {
  let repaired = 0
  const seeds = seedsOf(1_000, 250)
  for (const seed of seeds) {
    const random = new Random(seed)
    const messages = strayed(turns(random), random)
    const options = { format: 'openai-chat', for: random.pick(readers) } as const
    const { messages: whole, repairs } = repairWhole(messages, planFor(messages, options))
    if (repairs.length > 0) repaired++
    expect(heal<unknown[]>(messages, options), `seed ${seed}`).toEqual(whole)
    const healer = createHealer(options)
    healer.push(...messages)
    expect(healer.history, `seed ${seed}, pushed`).toEqual(whole)
  }
  expect(repaired).toBeGreaterThan(0.8 * seeds.length)
})

function turns(random: Random): Message[] {
  let words = 0
  return Array.from({ length: random.range(6, 14) }).flatMap(() => {
    let id = 0
    const steps = Array.from({ length: random.int(3) }).flatMap((): Message[] => {
      const calls = Array.from({ length: random.range(1, 3) }, () => ({
        id: `call_${id++}`,
        type: 'function' as const,
        function: { name: random.pick(['read', 'write']), arguments: `{"q":${++words}}` },
      }))
      const results = calls.map(call => ({
        role: 'tool',
        tool_call_id: call.id,
        content: `word ${++words}`,
        ...(random.chance(0.3) && { name: call.function.name }),
      }))
      return [{ role: 'assistant', content: null, tool_calls: calls }, ...results]
    })
    const says = (role: string): Message => ({ role, content: `word ${++words}` })
    return [says('user'), ...steps, says('assistant')]
  })
}

/** Up to three accidents: a result moved far or near, lost, said otherwise elsewhere or without its id, a call without one, a step lost. */
function strayed(messages: Message[], random: Random): Message[] {
  for (let accident = random.int(3); accident >= 0; accident--) {
    const results = messages.flatMap(({ role }, index) => (role === 'tool' ? [index] : []))
    const steps = messages.flatMap(({ tool_calls }, index) => (tool_calls ? [index] : []))
    if (results.length === 0 || steps.length === 0) break
    const at = random.pick(results)
    const step = random.pick(steps)
    const result = messages[at] as Message
    const [near, anywhere] = [Math.max(0, at - random.range(1, 4)), random.int(messages.length)]
    const accidents = [
      () => messages.splice(anywhere, 0, ...messages.splice(at, 1)),
      () => messages.splice(near, 0, ...messages.splice(at, 1)),
      () => messages.splice(at, 1),
      () => messages.splice(anywhere, 0, { ...result, content: `again ${accident}` }),
      () => messages.splice(at, 1, { ...result, tool_call_id: '' }),
      () => messages.splice(step, 1, withoutId(messages[step] as Message, random)),
      () => messages.splice(step, 1),
    ]
    random.pick(accidents)()
  }
  return messages
}

function withoutId({ tool_calls = [], ...message }: Message, random: Random): Message {
  const lost = random.int(tool_calls.length)
  return { ...message, tool_calls: tool_calls.map((call, index) => (index === lost ? { ...call, id: '' } : call)) }
}
