import { describe, expect, test } from 'vitest'
import { type CodecId, check, detect, heal } from '../../src/index.ts'
import { Random } from '../laws/random.ts'
import { read } from '../oracle/readers/read.ts'

/** What happened, without a wire: the same list is written in every shape. */
type Event =
  | { kind: 'user'; text: string }
  | { kind: 'assistant'; text: string; calls: Call[] }
  | { kind: 'result'; id: string; name: string; text: string }

interface Call {
  id: string
  name: string
  input: Record<string, unknown>
}

const seeds = Array.from({ length: 300 }, (_, seed) => seed)

describe('[V7] the same conversation, broken the same way in every format, is healed to the same conversation', () => {
  test.each(Object.keys(shapes()) as CodecId[])('%s', shape => {
    let broken = 0
    for (const seed of seeds) {
      const events = happened(seed)
      const history = shapes()[shape](events)
      const shown = shape === 'ai-sdk-ui' ? events.filter(event => !isGone(event)) : events
      const reference = told(heal(shapes()['openai-chat'](shown), { for: 'lenient' }), 'openai-chat')
      const healed = heal(history, { format: shape, for: 'lenient' })
      expect(told(healed, shape), `seed ${seed}`).toEqual(reference)
      expect(check(healed, { format: shape, for: 'lenient' }), `seed ${seed}`).toEqual([])
      const hasCalls = events.some(event => event.kind === 'assistant' && event.calls.length > 0)
      if (hasCalls) expect(detect(history), `seed ${seed}`).toBe(shape)
      if (healed !== history) broken++
    }
    expect(broken).toBeGreaterThan(seeds.length / 4)
  })
})

/** A result without a call: where a result is part of its call there cannot be one. */
const isGone = (event: Event): boolean => event.kind === 'result' && event.id.startsWith('call_gone_')

/** The words of each side in order, and each call with what answered it. Not every shape tells the tool of a made-up call. */
function told(history: unknown[], format: CodecId) {
  const entries = read(history, format)
  const words = (role: string) =>
    entries
      .filter(entry => entry.role === role)
      .flatMap(entry => entry.texts.flatMap(text => text.split('\n\n')).filter(Boolean))
  const results = entries.filter(({ role }) => role === 'tool').map(({ texts }) => texts.join(''))
  const calls = entries.flatMap(entry =>
    entry.calls.map(({ name, args }) => (args === '{}' ? 'made up' : `${name} ${args}`)),
  )
  return { user: words('user'), assistant: words('assistant'), calls, results }
}

/** Three to five turns of up to two steps, then one to three things go wrong. */
function happened(seed: number): Event[] {
  const random = new Random(seed)
  let events: Event[] = []
  let count = 0
  // One tool: not every shape says of a result which tool it is of, and that decides whose it is.
  const name = random.pick(['search', 'read_file', 'bash'])
  for (let turn = random.range(3, 5); turn > 0; turn--) {
    events.push({ kind: 'user', text: `question ${++count}` })
    for (let step = random.range(0, 2); step > 0; step--) {
      const calls = Array.from({ length: random.range(1, 3) }, () => ({
        id: `call_${++count}`,
        name,
        input: { query: `ask ${count}` },
      }))
      events.push({ kind: 'assistant', text: random.chance(0.5) ? `thought ${++count}` : '', calls })
      for (const { id, name } of calls) events.push({ kind: 'result', id, name, text: `answer ${++count}` })
    }
    events.push({ kind: 'assistant', text: `reply ${++count}`, calls: [] })
  }
  events.push({ kind: 'user', text: `question ${++count}` })
  for (let left = random.range(1, 3); left > 0; left--) events = breakOnce(events, random, ++count)
  return events
}

function breakOnce(events: Event[], random: Random, count: number): Event[] {
  const results = events.flatMap((event, at) => (event.kind === 'result' ? [at] : []))
  if (results.length === 0) return events
  const at = random.pick(results)
  const event = events[at]
  switch (random.int(5)) {
    case 0:
      return events.toSpliced(at, 1)
    case 1:
      return events.toSpliced(at, 0, event)
    case 2: {
      const next = events.findIndex((later, place) => place > at && later.kind === 'user')
      return events.toSpliced(next + 1, 0, event).toSpliced(at, 1)
    }
    case 3:
      return events.toSpliced(at, 0, { kind: 'user', text: `wait ${count}` })
    default:
      return events.toSpliced(at, 0, { ...event, id: `call_gone_${count}`, text: `lost ${count}` } as Event)
  }
}

/** How each shape writes a list of events, one message an event where it can. */
function shapes(): Record<CodecId, (events: Event[]) => unknown[]> {
  return {
    'openai-chat': events =>
      events.map(event => {
        if (event.kind === 'user') return { role: 'user', content: event.text }
        if (event.kind === 'result') return { role: 'tool', tool_call_id: event.id, content: event.text }
        if (event.calls.length === 0) return { role: 'assistant', content: event.text }
        return { role: 'assistant', content: event.text || null, tool_calls: event.calls.map(functionCall) }
      }),
    'openai-responses': events =>
      events.flatMap((event): unknown[] => {
        if (event.kind === 'user') return [{ role: 'user', content: event.text }]
        if (event.kind === 'result') return [{ type: 'function_call_output', call_id: event.id, output: event.text }]
        const words = event.text ? [{ role: 'assistant', content: event.text }] : []
        const calls = event.calls.map(({ id, name, input }) => ({
          type: 'function_call',
          call_id: id,
          name,
          arguments: JSON.stringify(input),
        }))
        return [...words, ...calls]
      }),
    'gemini-interactions': events =>
      events.flatMap((event): unknown[] => {
        const content = [{ type: 'text', text: event.text }]
        if (event.kind === 'user') return [{ type: 'user_input', content }]
        if (event.kind === 'result')
          return [{ type: 'function_result', call_id: event.id, name: event.name, result: event.text }]
        const words = event.text ? [{ type: 'model_output', content }] : []
        const calls = event.calls.map(({ id, name, input }) => ({ type: 'function_call', id, name, arguments: input }))
        return [...words, ...calls]
      }),
    anthropic: events =>
      events.map(event => {
        if (event.kind === 'user') return { role: 'user', content: event.text }
        if (event.kind === 'result')
          return { role: 'user', content: [{ type: 'tool_result', tool_use_id: event.id, content: event.text }] }
        const words = event.text ? [{ type: 'text', text: event.text }] : []
        return { role: 'assistant', content: [...words, ...event.calls.map(call => ({ type: 'tool_use', ...call }))] }
      }),
    gemini: events =>
      events.map(event => {
        if (event.kind === 'user') return { role: 'user', parts: [{ text: event.text }] }
        if (event.kind === 'result') {
          const functionResponse = { id: event.id, name: event.name, response: { output: event.text } }
          return { role: 'user', parts: [{ functionResponse }] }
        }
        const words = event.text ? [{ text: event.text }] : []
        const calls = event.calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }))
        return { role: 'model', parts: [...words, ...calls] }
      }),
    bedrock: events =>
      events.map(event => {
        if (event.kind === 'user') return { role: 'user', content: [{ text: event.text }] }
        if (event.kind === 'result') {
          const toolResult = { toolUseId: event.id, content: [{ text: event.text }], status: 'success' }
          return { role: 'user', content: [{ toolResult }] }
        }
        const words = event.text ? [{ text: event.text }] : []
        const calls = event.calls.map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input } }))
        return { role: 'assistant', content: [...words, ...calls] }
      }),
    'ai-sdk': events =>
      events.map(event => {
        if (event.kind === 'user') return { role: 'user', content: event.text }
        if (event.kind === 'result') {
          const output = { type: 'text', value: event.text }
          return {
            role: 'tool',
            content: [{ type: 'tool-result', toolCallId: event.id, toolName: event.name, output }],
          }
        }
        const words = event.text ? [{ type: 'text', text: event.text }] : []
        const calls = event.calls.map(({ id, name, input }) => ({
          type: 'tool-call',
          toolCallId: id,
          toolName: name,
          input,
        }))
        return { role: 'assistant', content: [...words, ...calls] }
      }),
    'ai-sdk-ui': writeUi,
    langchain: events =>
      events.map(event => {
        if (event.kind === 'user') return { type: 'human', content: event.text }
        if (event.kind === 'result') return { type: 'tool', content: event.text, tool_call_id: event.id }
        const calls = event.calls.map(({ id, name, input }) => ({ id, name, args: input, type: 'tool_call' }))
        return { type: 'ai', content: event.text, tool_calls: calls }
      }),
    'ag-ui': events =>
      events.map((event, index) => {
        const id = `m${index}`
        if (event.kind === 'user') return { id, role: 'user', content: event.text }
        if (event.kind === 'result') return { id, role: 'tool', toolCallId: event.id, content: event.text }
        if (event.calls.length === 0) return { id, role: 'assistant', content: event.text }
        return { id, role: 'assistant', content: event.text, toolCalls: event.calls.map(functionCall) }
      }),
    'pydantic-ai': events =>
      events.map(event => {
        if (event.kind === 'user')
          return { kind: 'request', parts: [{ content: event.text, part_kind: 'user-prompt' }] }
        if (event.kind === 'result') {
          const { id, name, text } = event
          const part = { tool_name: name, tool_call_id: id, content: text, part_kind: 'tool-return' }
          return { kind: 'request', parts: [part] }
        }
        const words = event.text ? [{ content: event.text, part_kind: 'text' }] : []
        const calls = event.calls.map(({ id, name, input }) => ({
          ...{ tool_name: name, args: input, tool_call_id: id, part_kind: 'tool-call' },
        }))
        return { kind: 'response', parts: [...words, ...calls] }
      }),
    ollama: events =>
      events.map(event => {
        if (event.kind === 'user') return { role: 'user', content: event.text }
        if (event.kind === 'result')
          return { role: 'tool', tool_name: event.name, tool_call_id: event.id, content: event.text }
        const calls = event.calls.map(({ id, name, input }) => ({ id, function: { name, arguments: input } }))
        return { role: 'assistant', content: event.text, ...(calls.length > 0 ? { tool_calls: calls } : {}) }
      }),
  }
}

const functionCall = ({ id, name, input }: Call) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
})

/** A result is part of its call here, so one that came late stands in its place already, and one without a call is nowhere. */
function writeUi(events: Event[]): unknown[] {
  const answers = new Map(events.flatMap(event => (event.kind === 'result' ? [[event.id, event.text] as const] : [])))
  return events.flatMap((event, index): unknown[] => {
    const id = `m${index}`
    if (event.kind === 'user') return [{ id, role: 'user', parts: [{ type: 'text', text: event.text }] }]
    if (event.kind === 'result') return []
    const words = event.text ? [{ type: 'text', text: event.text }] : []
    const calls = event.calls.map(({ id: toolCallId, name, input }) => {
      const output = answers.get(toolCallId)
      const state = output === undefined ? { state: 'input-available' } : { state: 'output-available', output }
      return { type: `tool-${name}`, toolCallId, input, ...state }
    })
    return [{ id, role: 'assistant', parts: [...words, ...calls] }]
  })
}
