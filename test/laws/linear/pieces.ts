import type { Fields, Native } from '../plan.ts'

/** What histories are put together from. Pieces with one number belong together. */
export type Kind = keyof typeof kinds

/** Piece number `at` of a kind, which holds `size` of what it holds: keys of arguments, blocks of content. */
type Make = (to: Writer, at: number, size: number) => Fields[]

interface Writer {
  say(role: Role, text: string, size: number): Fields
  think(text: string): Fields
  call(id: string, name: string, input: unknown, role?: Role): Fields
  result(id: string, text: string, size: number, role?: Role): Fields
}

type Role = 'user' | 'assistant' | 'system'

const kinds = {
  user: (to, at, size) => [to.say('user', `ask ${at}`, size)],
  system: (to, at, size) => [to.say('system', `rule ${at}`, size)],
  text: (to, at, size) => [to.say('assistant', `text ${at}`, size)],
  echo: (to, _, size) => [to.say('assistant', 'said before', size)],
  blank: (to, _, size) => [to.say('assistant', '', size)],
  thinking: (to, at) => [to.think(`thought ${at}`)],
  call: (to, at, size) => [to.call(`call_${at}`, 'look', input(size))],
  'another call': (to, at, size) => [to.call(`other_${at}`, 'look', input(size))],
  'call with one id': (to, at, size) => [to.call('call_same', `look_${at}`, input(size))],
  'call again': (to, _, size) => [to.call('call_same', 'look', input(size))],
  'call again with other arguments': (to, at, size) => [to.call('call_same', 'look', { ...input(size), at })],
  'marked call': (to, at, size) => [{ ...to.call(`call_${at}`, 'look', input(size)), [`mark_${at}`]: at }],
  'call without an id': (to, at, size) => [to.call('', `look_${at % 3}`, input(size))],
  'cut call': (to, at) => [to.call(`call ${at}!`, 'look', '{"a":')],
  'call by the user': (to, at, size) => [to.call(`call_${at}`, 'look', input(size), 'user')],
  'answered call': (to, at, size) => [
    to.call(`call_${at}`, 'look', input(1)),
    to.result(`call_${at}`, `found ${at}`, size),
  ],
  result: (to, at, size) => [to.result(`call_${at}`, `found ${at}`, size)],
  'other result': (to, at, size) => [to.result(`call_${at}`, `found again ${at}`, size)],
  placeholder: (to, at) => [to.result(`call_${at}`, 'Tool execution was interrupted.', 1)],
  orphan: (to, at, size) => [to.result(`lost_${at}`, `found ${at}`, size)],
  'result with one id': (to, at, size) => [to.result('call_same', `found ${at}`, size)],
  'result again': (to, _, size) => [to.result('call_same', 'found', size)],
  'marked result': (to, at, size) => [{ ...to.result(`call_${at}`, `found ${at}`, size), [`mark_${at}`]: at }],
  'result without an id': (to, at, size) => [to.result('', `found ${at}`, size)],
  // One that has no call keeps the others where they stand, unless a call may be made up.
  'result by the assistant': (to, at, size) => [
    to.result(at === 0 ? 'lost' : `call_${at}`, `found ${at}`, size, 'assistant'),
  ],
} satisfies Record<string, Make>

export const kindNames = Object.keys(kinds) as Kind[]

/** Those that are tried in pairs every time; `npm run fuzz` tries all. */
export const mainKinds: readonly Kind[] = [
  ...(['user', 'text', 'thinking', 'call', 'call again with other arguments', 'marked call', 'answered call'] as const),
  ...(['result', 'orphan', 'result again', 'result by the assistant'] as const),
]

export const piece = (native: Native, kind: Kind, at: number, size = 1): Fields[] =>
  (kinds[kind] as Make)(writers[native], at, size)

const input = (size: number): Fields =>
  Object.fromEntries(Array.from({ length: size - 1 }, (_, at) => [`key_${at}`, `value ${at}`]))

const texts = (text: string, size: number): string[] =>
  Array.from({ length: size }, (_, at) => (at === 0 ? text : `${text}, ${at}`))

const blocks = (type: string, text: string, size: number): Fields[] =>
  texts(text, size).map(said => ({ type, text: said }))

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const writers: Record<Native, Writer> = {
  'openai-chat': {
    say: (role, text, size) => ({ role, content: size === 1 ? text : blocks('text', text, size) }),
    think: text => ({ role: 'assistant', content: null, reasoning_content: text }),
    call: (id, name, given, role = 'assistant') => ({
      role,
      content: null,
      tool_calls: [{ id, type: 'function', function: { name, arguments: asText(given) } }],
    }),
    result: (id, text, size, role) => ({
      role: role ?? 'tool',
      tool_call_id: id,
      content: size === 1 ? text : blocks('text', text, size),
    }),
  },
  'openai-responses': {
    say: (role, text, size) => ({
      type: 'message',
      role,
      content: size === 1 ? text : blocks(role === 'assistant' ? 'output_text' : 'input_text', text, size),
    }),
    think: text => ({
      type: 'reasoning',
      id: `rs_${text.replace(/\W/g, '')}`,
      summary: [{ type: 'summary_text', text }],
    }),
    call: (id, name, given) => ({ type: 'function_call', call_id: id, name, arguments: asText(given) }),
    result: (id, text, size) => ({
      type: 'function_call_output',
      call_id: id,
      output: size === 1 ? text : blocks('input_text', text, size),
    }),
  },
  anthropic: {
    say: (role, text, size) => ({ role, content: blocks('text', text, size) }),
    think: thinking => ({ role: 'assistant', content: [{ type: 'thinking', thinking, signature: `${thinking}==` }] }),
    call: (id, name, given, role = 'assistant') => ({ role, content: [{ type: 'tool_use', id, name, input: given }] }),
    result: (id, text, size, role = 'user') => ({
      role,
      content: [{ type: 'tool_result', tool_use_id: id, content: size === 1 ? text : blocks('text', text, size) }],
    }),
  },
}

/** The same with neighbours of one role in one message, where the format has room for them. */
export function packed(messages: readonly Fields[]): Fields[] {
  const made: Fields[] = []
  for (const message of messages) {
    const last = made.at(-1)
    const joined = last && last.role === message.role ? join(last, message) : undefined
    if (joined) made[made.length - 1] = joined
    else made.push(message)
  }
  return made
}

function join(last: Fields, next: Fields): Fields | undefined {
  if (next.type !== undefined || next.tool_call_id !== undefined) return undefined
  const content = [...blocksOf(last.content), ...blocksOf(next.content)]
  const calls = [last, next].flatMap(({ tool_calls }) => (Array.isArray(tool_calls) ? tool_calls : []))
  const thought = [last, next].map(({ reasoning_content }) => reasoning_content ?? '').join('')
  return {
    ...last,
    ...next,
    content: content.length === 0 ? null : content,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(thought === '' ? {} : { reasoning_content: thought }),
  }
}

function blocksOf(content: unknown): unknown[] {
  if (Array.isArray(content)) return content
  return typeof content === 'string' ? [{ type: 'text', text: content }] : []
}
