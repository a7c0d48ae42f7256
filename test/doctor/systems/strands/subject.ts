import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { strands } from '../../../../src/doctor/systems/strands/index.ts'
import { Random } from '../../../laws/random.ts'
import { type ChatMessage, corruptChat, generateChat, message, refusalsBy, wordsIn } from '../../chat/chat.ts'
import { timeOf } from '../../chat/line-subject.ts'
import { filesIn } from '../../chat/samples.ts'
import type { Subject } from '../../contract.ts'
import { strictly } from '../../strictly.ts'

type Json = Record<string, unknown>

export const subject: Subject = {
  system: strands,
  tag: 'DD',
  healthy: (seed, folder) => agentFolder(writeAgent(folder, messagesOf(generateChat(seed)), agentBy(new Random(seed)))),
  corrupted(seed, folder) {
    const random = new Random(seed ^ 0x57)
    const store = writeAgent(folder, messagesOf(corruptChat(seed, generateChat(seed))), agentBy(new Random(seed)))
    const files = filesIn(store, '.json').filter(path => basename(path).startsWith('message_'))
    const file = random.pick(files)
    if (random.chance(0.1)) writeFileSync(file, readFileSync(file, 'utf8').slice(0, random.int(90)))
    else if (random.chance(0.2))
      writeFileSync(file, readFileSync(file, 'utf8').replace(/"message_id": \d+/, '"message_id": 77'))
    return agentFolder(store)
  },
  refusals(folder) {
    const unpaired = refusalsBy(() => readAgentMessages(folder))
    return unpaired.length > 0 ? unpaired : strictly(withNext(sentBy(folder)), 'bedrock', 'bedrock')
  },
  words: folder => filesIn(folder, '.json').flatMap(path => wordsIn(readFileSync(path, 'utf8'))),
}

const agentFolder = (folder: string): string => join(folder, 'session_demo', 'agents', 'agent_default')

/** A request ends with a user message. */
const withNext = (sent: readonly Json[]): Json[] =>
  sent.length > 0 && sent.at(-1)?.role === 'assistant'
    ? [...sent, { role: 'user', content: [{ text: 'Go on.' }] }]
    : [...sent]

const agentBy = (random: Random): Json => ({ removed: random.chance(0.3) ? random.range(1, 4) : 0 })

/** Writes a session with one agent. The messages that its manager removed are still there, and are not sent. */
export function writeAgent(
  folder: string,
  messages: readonly Json[],
  { removed = 0, activated = false, step = 1 }: { removed?: number; activated?: boolean; step?: number } = {},
): string {
  const agent = agentFolder(folder)
  mkdirSync(join(agent, 'messages'), { recursive: true })
  const time = { created_at: timeOf(0), updated_at: timeOf(0) }
  const put = (path: string, value: Json): void => writeFileSync(path, JSON.stringify(value, null, 2))
  put(join(folder, 'session_demo', 'session.json'), { session_id: 'demo', session_type: 'AGENT', ...time })
  put(join(agent, 'agent.json'), {
    agent_id: 'default',
    state: {},
    conversation_manager_state: { __name__: 'SlidingWindowConversationManager', removed_message_count: removed },
    _internal_state: { interrupt_state: { interrupts: {}, context: {}, activated }, model_state: {} },
    ...time,
  })
  const old = Array.from({ length: removed }, () => ({
    role: 'user',
    content: [{ toolResult: { toolUseId: 'gone' } }],
  }))
  for (const [index, one] of [...old, ...messages].entries())
    put(join(agent, 'messages', `message_${index * step}.json`), {
      message: one,
      message_id: index * step,
      redact_message: null,
      ...time,
    })
  return folder
}

/** Messages of the Converse API; what the user and the tools say is one message. */
export function messagesOf(chat: readonly ChatMessage[]): Json[] {
  const list: { role: string; content: Json[] }[] = []
  for (const { role, texts, calls, results } of chat) {
    const content: Json[] = [
      ...results.map(({ id, text }) => ({ toolResult: { toolUseId: id, status: 'success', content: [{ text }] } })),
      ...texts.map(text => ({ text })),
      ...calls.map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input } })),
    ]
    const speaker = role === 'assistant' ? 'assistant' : 'user'
    const last = list.at(-1)
    if (last?.role === speaker) last.content.push(...content)
    else list.push({ role: speaker, content })
  }
  return list
}

/** The messages that the program sends: sorted by number, without those that its manager removed. */
function sentBy(folder: string): Json[] {
  const numberOf = (path: string): number => Number(/message_(\d+)\.json$/.exec(path)?.[1] ?? Number.NaN)
  const agent = JSON.parse(readFileSync(filesIn(folder, 'agent.json')[0], 'utf8'))
  return filesIn(folder, '.json')
    .filter(path => !Number.isNaN(numberOf(path)))
    .sort((one, other) => numberOf(one) - numberOf(other))
    .slice(agent.conversation_manager_state.removed_message_count)
    .map(path => {
      const { message: sent, message_id: id, redact_message: redacted } = JSON.parse(readFileSync(path, 'utf8'))
      if (id !== numberOf(path)) throw new Error(`${basename(path)} has the number ${id}`)
      return redacted ?? sent
    })
}

export const readAgentMessages = (folder: string): ChatMessage[] =>
  sentBy(folder).map(({ role, content }) => {
    const blocks = content as Record<string, Json & { content: Json[] }>[]
    return message(role as 'user' | 'assistant', {
      texts: blocks.flatMap(({ text }) => (text === undefined ? [] : [String(text)])),
      calls: blocks.flatMap(({ toolUse: call }) =>
        call ? [{ id: String(call.toolUseId), name: String(call.name), input: call.input }] : [],
      ),
      results: blocks.flatMap(({ toolResult: one }) =>
        one
          ? [
              {
                id: String(one.toolUseId),
                text: one.content.map(({ text }) => text).join('\n'),
                isError: one.status === 'error',
              },
            ]
          : [],
      ),
    })
  })
