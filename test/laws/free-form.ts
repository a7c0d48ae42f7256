import { arbitraryJson } from './arbitrary-json.ts'
import type { Fields, Native } from './plan.ts'
import type { Random } from './random.ts'

/**
 * 0 to 25 messages of a wire that were never a conversation: few ids, and fields that are there or not, and right or not.
 * Most are short: hardly anything in them is right, so that a few messages show as much as many.
 */
export function freeForm(codec: Native, random: Random): unknown[] {
  const draft = new Draft(random)
  const messages: unknown[] = []
  for (let left = Math.floor(26 * random.next() ** 2); left > 0; left--) messages.push(draft.value(makers[codec]))
  return messages
}

/** What one history is made with: its ids, and how often something in it is wrong. */
class Draft {
  readonly random: Random
  readonly #ids: string[]
  readonly #noise: number

  constructor(random: Random) {
    this.random = random
    this.#ids = random.shuffle(allIds).slice(0, random.range(1, 5))
    this.#noise = random.pick([0, 0, 0.02, 0.1, 0.3])
  }

  id(): string {
    return this.random.pick(this.#ids)
  }

  /** What is wanted, or now and then something strange. */
  value(make: (draft: Draft) => unknown): unknown {
    return this.random.chance(this.#noise / 2) ? arbitraryJson(this.random, 2) : make(this)
  }

  /** Takes some fields away and makes some strange; a field that is undefined is not there. */
  object(wanted: Fields): Fields {
    const made: Fields = {}
    for (const key of Object.keys(wanted)) {
      const value = this.random.chance(this.#noise) ? this.#strange() : wanted[key]
      if (value !== undefined) made[key] = value
    }
    return made
  }

  list(max: number, make: (draft: Draft) => unknown): unknown[] {
    const made: unknown[] = []
    for (let left = this.random.range(0, max); left > 0; left--) made.push(this.value(make))
    return made
  }

  /** The value, or with this probability nothing. */
  maybe<T>(probability: number, value: T): T | undefined {
    return this.random.chance(probability) ? value : undefined
  }

  text(): string {
    return this.random.chance(0.1) ? this.random.pick(['', ' ', '\n']) : this.random.sentence()
  }

  #strange(): unknown {
    return this.random.chance(0.4) ? undefined : arbitraryJson(this.random, 1)
  }
}

const makers: Record<Native, (draft: Draft) => unknown> = {
  'openai-chat': chatMessage,
  'openai-responses': responsesItem,
  anthropic: anthropicMessage,
}

function chatMessage(draft: Draft): unknown {
  const { random } = draft
  switch (random.pick(chatKinds)) {
    case 'user':
      return draft.object({ role: 'user', content: chatContent(draft) })
    case 'system':
      return draft.object({ role: random.pick(['system', 'developer']), content: chatContent(draft) })
    case 'tool':
      return draft.object({
        role: 'tool',
        tool_call_id: draft.maybe(0.95, draft.id()),
        content: chatContent(draft),
        name: draft.maybe(0.2, random.pick(toolNames)),
      })
    case 'calls':
      return draft.object({
        role: 'assistant',
        content: draft.maybe(0.9, random.chance(0.6) ? null : chatContent(draft)),
        reasoning_content: draft.maybe(0.1, draft.text()),
        tool_calls: draft.list(3, chatCall),
      })
    default:
      return draft.object({ role: 'assistant', content: chatContent(draft) })
  }
}

function chatContent(draft: Draft): unknown {
  if (draft.random.chance(0.8)) return draft.text()
  return draft.list(2, () =>
    draft.random.chance(0.8)
      ? draft.object({ type: 'text', text: draft.text() })
      : draft.object({ type: 'image_url', image_url: { url: `https://example.test/${draft.random.word()}.png` } }),
  )
}

function chatCall(draft: Draft): unknown {
  const body = draft.object({ name: draft.random.pick(toolNames), arguments: argumentsJson(draft) })
  return draft.object({ id: draft.maybe(0.95, draft.id()), type: 'function', function: body })
}

function argumentsJson(draft: Draft): string {
  if (draft.random.chance(0.15)) return draft.random.pick(['', '{', '{"a": "', 'null', '[1]', '"x"', 'oops'])
  return JSON.stringify({ query: draft.random.sentence() })
}

function anthropicMessage(draft: Draft): unknown {
  const { random } = draft
  const role = random.pick(anthropicRoles)
  if (random.chance(0.25)) return draft.object({ role, content: draft.text() })
  const kinds = random.chance(0.9) ? (role === 'assistant' ? assistantBlocks : userBlocks) : allBlocks
  return draft.object({ role, content: draft.list(4, () => anthropicBlock(draft, random.pick(kinds))) })
}

function anthropicBlock(draft: Draft, type: string): unknown {
  const { random } = draft
  switch (type) {
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return draft.object({ type, id: draft.id(), name: random.pick(toolNames), input: { query: random.sentence() } })
    case 'tool_result':
    case 'mcp_tool_result':
      return draft.object({
        type,
        tool_use_id: draft.id(),
        content: draft.maybe(0.9, random.chance(0.7) ? draft.text() : draft.list(2, textBlock)),
        is_error: draft.maybe(0.2, random.chance(0.7)),
      })
    case 'web_search_tool_result':
      return draft.object({ type, tool_use_id: draft.id(), content: [] })
    case 'thinking':
      return draft.object({ type, thinking: draft.text(), signature: draft.maybe(0.8, random.id('Eq')) })
    case 'redacted_thinking':
      return draft.object({ type, data: random.id('Em') })
    case 'image':
      return draft.object({ type, source: { type: 'url', url: `https://example.test/${random.word()}.png` } })
    default:
      return textBlock(draft)
  }
}

function textBlock(draft: Draft): unknown {
  return draft.object({ type: 'text', text: draft.text() })
}

function responsesItem(draft: Draft): unknown {
  const { random } = draft
  const type = random.pick(itemTypes)
  if (type === 'message') return responsesMessage(draft)
  if (type === 'reasoning') {
    const summary = random.chance(0.5) ? [] : [{ type: 'summary_text', text: draft.text() }]
    const id = draft.maybe(0.9, `rs_${draft.id()}`)
    return draft.object({ type, id, summary, encrypted_content: draft.maybe(0.4, random.id('gAAAA')) })
  }
  const itemId = draft.maybe(0.3, `${random.pick(['fc_', 'ctc_', ''])}${draft.id()}`)
  if (type.endsWith('_output')) {
    return draft.object({ type, id: itemId, call_id: draft.id(), ...responsesOutput(type, draft) })
  }
  if (type.startsWith('web_') || type.startsWith('mcp_')) {
    return draft.object({ type, id: `ws_${draft.id()}`, status: 'completed', name: draft.maybe(0.5, 'lookup') })
  }
  return draft.object({ type, id: itemId, call_id: draft.id(), ...responsesCall(type, draft) })
}

function responsesMessage(draft: Draft): unknown {
  const { random } = draft
  const role = random.pick(['user', 'user', 'assistant', 'assistant', 'system', 'developer', 'tool'])
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  const list = () => draft.list(2, () => draft.object({ type, text: draft.text() }))
  return draft.object({
    type: draft.maybe(0.6, 'message'),
    id: role === 'assistant' ? draft.maybe(0.3, `msg_${draft.id()}`) : undefined,
    role,
    content: random.chance(0.6) ? draft.text() : list(),
  })
}

function responsesCall(type: string, draft: Draft): Fields {
  const { random } = draft
  const query = random.sentence()
  if (type === 'custom_tool_call') return { name: random.pick(toolNames), input: query }
  if (type === 'shell_call') return { action: { commands: [query] }, status: 'completed' }
  if (type === 'local_shell_call') return { action: { type: 'exec', command: [query], env: {} }, status: 'completed' }
  if (type === 'computer_call') return { action: { type: 'type', text: query }, pending_safety_checks: [] }
  if (type === 'apply_patch_call') return { operation: { type: 'update_file', path: 'a.txt', diff: query } }
  if (type === 'tool_search_call') return { execution: random.pick(['client', 'server']), arguments: { query } }
  return { name: random.pick(toolNames), arguments: argumentsJson(draft) }
}

function responsesOutput(type: string, draft: Draft): Fields {
  const text = draft.text()
  if (type === 'shell_call_output')
    return { output: [{ stdout: text, stderr: '', outcome: { type: 'exit', exit_code: 0 } }] }
  if (type === 'computer_call_output')
    return { output: { type: 'computer_screenshot', image_url: `https://example.test/` } }
  if (type === 'tool_search_output') return { execution: 'client', tools: [] }
  return { output: draft.random.chance(0.85) ? text : [{ type: 'input_text', text }] }
}

const allIds = [
  'a',
  'b',
  'call_1',
  'call_2',
  'toolu_01',
  'srvtoolu_1',
  '1',
  '',
  'functions.bash:0',
  'x'.repeat(70),
  '__proto__',
]
const toolNames = ['search', 'bash', 'read_file', '']
const chatKinds = ['user', 'user', 'system', 'tool', 'tool', 'tool', 'calls', 'calls', 'calls', 'answer']
const anthropicRoles = ['user', 'user', 'user', 'user', 'assistant', 'assistant', 'assistant', 'assistant', 'system']

const userBlocks = ['tool_result', 'tool_result', 'text', 'image']
const assistantBlocks = [
  'tool_use',
  'tool_use',
  'text',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
  'web_search_tool_result',
  'mcp_tool_use',
  'mcp_tool_result',
]
const allBlocks = [...userBlocks, ...assistantBlocks]

const itemTypes = [
  ...Array.from({ length: 8 }, () => 'message'),
  ...Array.from({ length: 6 }, () => 'function_call'),
  ...Array.from({ length: 6 }, () => 'function_call_output'),
  'reasoning',
  'reasoning',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'local_shell_call_output',
  'shell_call',
  'shell_call_output',
  'computer_call',
  'computer_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
  'tool_search_call',
  'tool_search_output',
  'web_search_call',
  'mcp_call',
]
