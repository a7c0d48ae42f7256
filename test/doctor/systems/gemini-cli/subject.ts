import { geminiCli } from '../../../../src/doctor/systems/gemini-cli/index.ts'
import type { Random } from '../../../laws/random.ts'
import { type ChatMessage, message } from '../../chat/chat.ts'
import { lineSubject, recordsOf, timeOf, uuidBy } from '../../chat/line-subject.ts'

type Json = Record<string, unknown>

export const header = {
  sessionId: '0ad836ec-8515-41bc-8cf0-04ffee15de14',
  projectHash: 'e828acfc792e3bbcd2a6c6c35323cb44b7b438741c168c8ec59aefe347f193bb',
  startTime: timeOf(0),
  lastUpdated: timeOf(0),
  kind: 'main',
}

export const subject = lineSubject({
  system: geminiCli,
  file: 'tmp/shop/chats/session-2026-08-12T10-15-0ad836ec.jsonl',
  records,
  read,
})

/** The log of a session: some messages in a checkpoint, the others as records, steps in the form before and after a resume. */
function records(random: Random, chat: readonly ChatMessage[]): Json[] {
  const messages = messagesOf(random, chat)
  const inCheckpoint = random.chance(0.5) ? random.int(messages.length + 1) : 0
  const list: Json[] = [header]
  const context = { id: uuidBy(random), timestamp: timeOf(0), type: 'user', content: [{ text: '<session_context>' }] }
  list.push({ $set: { messages: [context, ...messages.slice(0, inCheckpoint)], lastUpdated: timeOf(1) } })
  for (const one of messages.slice(inCheckpoint)) {
    // A step is written twice: when it begins, and with its calls.
    if (one.type === 'gemini' && 'toolCalls' in one) {
      const { toolCalls: _, ...begun } = one
      list.push(begun)
    }
    list.push(one)
    if (random.chance(0.5)) list.push({ $set: { lastUpdated: one.timestamp } })
    if (random.chance(0.1)) {
      const left = { id: uuidBy(random), timestamp: one.timestamp, type: 'user', content: [{ text: 'taken back' }] }
      list.push(left, { $rewindTo: left.id })
    }
    if (random.chance(0.1)) list.push({ id: uuidBy(random), timestamp: one.timestamp, type: 'info', content: 'saved' })
  }
  return list
}

function messagesOf(random: Random, chat: readonly ChatMessage[]): Json[] {
  const list: Json[] = []
  const add = (more: Json): void => {
    list.push({ id: uuidBy(random), timestamp: timeOf(list.length + 1), ...more })
  }
  const outcomes = new Map(chat.flatMap(one => one.results).map(({ id, text }) => [id, text]))
  let open: Json[] = []
  const flush = (): void => {
    if (open.length > 0) add({ type: 'user', content: open })
    open = []
  }
  for (const { role, texts, calls, results } of chat) {
    if (role !== 'tool') flush()
    for (const { id, text } of results) open.push(responseOf(id, text))
    if (role === 'user') add({ type: 'user', content: texts.map(text => ({ text })) })
    if (role !== 'assistant') continue
    const text = texts.join('\n')
    const more = { type: 'gemini', thoughts: [], tokens: { total: 1.0 }, model: 'gemini-2.5-pro' }
    if (calls.length === 0) add({ ...more, content: text })
    else if (random.chance(0.5)) {
      const asked = calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }))
      add({ ...more, content: [...texts.map(text => ({ text })), ...asked] })
    } else {
      const toolCalls = calls.map(({ id, name, input }) => {
        const said = outcomes.get(id)
        const result = said === undefined ? {} : { result: [responseOf(id, said)] }
        return { id, name, args: input, ...result, status: said === undefined ? 'cancelled' : 'success' }
      })
      add({ ...more, content: text, toolCalls })
    }
  }
  flush()
  return list
}

const responseOf = (id: string, text: string): Json => ({
  functionResponse: { id, name: 'bash', response: { output: text } },
})

/** Messages by their ids, as the program loads them. A result next to its copy in `toolCalls` is not a second one. */
function read(text: string): ChatMessage[] {
  let messages = new Map<string, Json>()
  for (const record of recordsOf(text)) {
    const { $set: set, $rewindTo: to, id } = record as { $set?: Json; $rewindTo?: string; id?: string }
    if (to !== undefined) {
      const ids = [...messages.keys()]
      for (const known of ids.slice(Math.max(ids.indexOf(to), 0))) messages.delete(known)
    } else if (id !== undefined) messages.set(id, record)
    else if (Array.isArray(set?.messages)) messages = new Map(set.messages.map((one: Json) => [String(one.id), one]))
  }
  const sent = [...messages.values()].filter(({ type, content }) => type !== 'info' && !isContext(content))
  return sent.flatMap((one, at) => {
    const parts = typeof one.content === 'string' ? [{ text: one.content }] : (one.content as Json[])
    const texts = parts.flatMap(({ text }) => (typeof text === 'string' && text !== '' ? [text] : []))
    if (one.type === 'user') return [message('user', { texts, results: parts.flatMap(resultIn) })]
    const listed = (one.toolCalls ?? []) as Json[]
    const inContent = parts.flatMap(({ functionCall: call }) => (call ? [call as Json] : []))
    const calls = (inContent.length > 0 ? inContent : listed).map(({ id, name, args }) => ({
      id: String(id),
      name: String(name),
      input: args,
    }))
    const next = sent[at + 1]?.type === 'user' ? (sent[at + 1].content as Json[]).flatMap(resultIn) : []
    const own = listed.flatMap(({ result = [] }) => (result as Json[]).flatMap(resultIn))
    const results = own.filter(({ id }) => !next.some(other => other.id === id))
    return [message('assistant', { texts, calls }), ...(results.length > 0 ? [message('user', { results })] : [])]
  })
}

const isContext = (content: unknown): boolean => JSON.stringify(content).startsWith('[{"text":"<session_context>')

function resultIn({ functionResponse: response }: Json): { id: string; text: string }[] {
  if (typeof response !== 'object' || response === null) return []
  const { id, response: said } = response as { id: string; response: Json }
  return [{ id, text: String(said.output ?? said.error) }]
}
