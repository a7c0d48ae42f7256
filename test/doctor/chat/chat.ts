import { Random } from '../../laws/random.ts'
import { strictly } from '../strictly.ts'

/** A message as any program means it: stores are written from a list of these, and read back to one. */
export interface ChatMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly texts: readonly string[]
  readonly calls: readonly ChatCall[]
  readonly results: readonly ChatResult[]
}

export interface ChatCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

export interface ChatResult {
  readonly id: string
  readonly text: string
  readonly isError?: boolean
}

export const message = (role: ChatMessage['role'], more: Partial<Omit<ChatMessage, 'role'>>): ChatMessage => ({
  role,
  texts: [],
  calls: [],
  results: [],
  ...more,
})

export const user = (text: string): ChatMessage => message('user', { texts: [text] })
export const result = (id: string, text: string): ChatMessage => message('tool', { results: [{ id, text }] })

/** A random conversation with whole steps. Every result is a message of its own. */
export function generateChat(seed: number): ChatMessage[] {
  const random = new Random(seed)
  const chat: ChatMessage[] = []
  for (let turn = random.range(1, 5); turn > 0; turn--) {
    chat.push(user(random.sentence()))
    for (let step = random.int(3); step > 0; step--) chat.push(...stepOf(random))
    chat.push(message('assistant', { texts: [random.sentence()] }))
  }
  if (random.chance(0.3)) chat.push(user(random.sentence()), ...stepOf(random))
  return chat
}

function stepOf(random: Random): ChatMessage[] {
  const calls = Array.from({ length: random.range(1, 3) }, () => ({
    id: random.id('call_'),
    name: random.pick(['bash', 'read_file', 'web_search']),
    input: { command: random.sentence() },
  }))
  return [
    message('assistant', { texts: random.chance(0.6) ? [random.sentence()] : [], calls }),
    ...calls.map(({ id }) => result(id, random.sentence())),
  ]
}

/** One to three defects: lost, repeated, late and stray results, lost calls, an end in the middle of a step. */
export function corruptChat(seed: number, chat: readonly ChatMessage[]): ChatMessage[] {
  const random = new Random(seed ^ 0xbad)
  let broken = [...chat]
  for (let count = random.range(1, 3); count > 0; count--) broken = random.pick(faults)(random, broken)
  return broken
}

type Fault = (random: Random, chat: ChatMessage[]) => ChatMessage[]

const faults: readonly Fault[] = [
  (random, chat) => without(chat, placeOf(random, chat, isResult)),
  (random, chat) => without(chat, placeOf(random, chat, isCalling, 1)),
  function repeated(random, chat) {
    const at = placeOf(random, chat, isResult)
    return at < 0 ? chat : chat.toSpliced(random.range(at + 1, chat.length), 0, chat[at])
  },
  function late(random, chat) {
    const at = placeOf(random, chat, isResult)
    return at < 0 ? chat : chat.toSpliced(random.range(at + 1, chat.length), 0, chat[at]).toSpliced(at, 1)
  },
  (random, chat) =>
    chat.toSpliced(random.range(1, chat.length), 0, result(random.id('call_'), `stray ${random.sentence()}`)),
  function cutInStep(random, chat) {
    const at = placeOf(random, chat, isCalling)
    return at < 0 ? chat : [...chat.slice(0, at + 1), ...(random.chance(0.5) ? [user(random.sentence())] : [])]
  },
]

const isResult = ({ results }: ChatMessage): boolean => results.length > 0
const isCalling = ({ calls }: ChatMessage): boolean => calls.length > 0

function placeOf(random: Random, chat: readonly ChatMessage[], fits: (one: ChatMessage) => boolean, from = 0): number {
  const places = [...chat.keys()].filter(at => at >= from && fits(chat[at]))
  return places.length > 0 ? random.pick(places) : -1
}

const without = (chat: ChatMessage[], at: number): ChatMessage[] => (at < 0 ? chat : chat.toSpliced(at, 1))

/** What is wrong with the pairs of a conversation, each call answered once, directly after its message. */
export function pairingFaults(chat: readonly ChatMessage[]): string[] {
  const faults: string[] = []
  let open: string[] = []
  const seen = new Set<string>()
  for (const [at, { role, texts, calls, results }] of chat.entries()) {
    for (const { id } of results)
      if (open.includes(id)) open.splice(open.indexOf(id), 1)
      else faults.push(`message ${at}: the result of ${id} ${seen.has(id) ? 'is repeated or late' : 'has no call'}`)
    if (open.length > 0 && (texts.length > 0 || calls.length > 0 || role === 'assistant')) {
      faults.push(`message ${at}: ${open} unanswered before it`)
      open = []
    }
    for (const { id } of calls) {
      if (seen.has(id)) faults.push(`call ${id} is repeated`)
      seen.add(id)
      open.push(id)
    }
  }
  return open.length > 0 ? [...faults, `${open} unanswered at the end`] : faults
}

/** What a strict provider and the pairs themselves say against a conversation. */
const chatRefusals = (chat: readonly ChatMessage[]): string[] => [
  ...pairingFaults(chat),
  ...strictly(chatCompletions(chat), 'openai-chat', 'openai'),
]

/** The same for a store: what its program cannot read is refused as well. */
export function refusalsBy(read: () => readonly ChatMessage[]): string[] {
  try {
    return chatRefusals(read())
  } catch (error) {
    return [(error as Error).message]
  }
}

function chatCompletions(chat: readonly ChatMessage[]): object[] {
  const messages = chat.flatMap(({ role, texts, calls, results }): object[] => {
    const text = texts.join('\n')
    const answers = results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }))
    if (role === 'tool') return answers
    if (role === 'user') return [...answers, ...(text === '' ? [] : [{ role, content: text }])]
    if (calls.length === 0) return text === '' ? [] : [{ role, content: text }]
    const asked = calls.map(({ id, name, input }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }))
    return [{ role, content: text || null, tool_calls: asked }]
  })
  return messages.length === 0 ? [] : [...messages, { role: 'user', content: 'Go on.' }]
}

/** The unique words in any text. */
export const wordsIn = (text: string): string[] => text.match(/\bw\d+\b/g) ?? []
