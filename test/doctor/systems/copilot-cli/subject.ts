import { copilotCli } from '../../../../src/doctor/systems/copilot-cli/index.ts'
import type { Random } from '../../../laws/random.ts'
import { type ChatMessage, message } from '../../chat/chat.ts'
import { lineSubject, recordsOf, timeOf, uuidBy } from '../../chat/line-subject.ts'

type Json = Record<string, unknown>

export const subject = lineSubject({
  system: copilotCli,
  file: 'session-state/5b0c8f4e-7a0e-4c2e-9a55-0d7f0a7d1e42/events.jsonl',
  records,
  read,
})

function records(random: Random, chat: readonly ChatMessage[]): Json[] {
  const list: Json[] = []
  let parentId: string | null = null
  const add = (type: string, data: Json): void => {
    const id = uuidBy(random)
    list.push({ type, data, id, timestamp: timeOf(list.length), parentId })
    parentId = id
  }
  add('session.start', { sessionId: 's', version: 1, producer: 'copilot-agent' })
  for (const { role, texts, calls, results } of chat) {
    if (role === 'user') add('user.message', { content: texts.join('\n'), attachments: [] })
    for (const { id, text } of results)
      add('tool.execution_complete', { toolCallId: id, success: true, result: { content: text } })
    if (role !== 'assistant') continue
    add('assistant.turn_start', { turnId: '0' })
    const toolRequests = calls.map(({ id, name, input }) => ({ toolCallId: id, name, arguments: input }))
    add('assistant.message', { messageId: uuidBy(random), content: texts.join('\n'), toolRequests })
    for (const { id, name, input } of calls)
      add('tool.execution_start', { toolCallId: id, toolName: name, arguments: input })
  }
  return list
}

/** Every line must be an event that names the one before it. Of several results of a call the first counts. */
function read(text: string): ChatMessage[] {
  const events = recordsOf(text, true)
  const seen = new Set<unknown>()
  return events.flatMap(({ type, data, parentId }, at) => {
    if (parentId !== (events[at - 1]?.id ?? null)) throw new Error(`event ${at + 1} does not follow the one before it`)
    const said = data as Json
    const texts = said.content ? [String(said.content)] : []
    if (type === 'user.message') return [message('user', { texts })]
    if (type === 'assistant.message') {
      const calls = ((said.toolRequests ?? []) as Json[]).map(one => ({
        id: String(one.toolCallId),
        name: String(one.name),
        input: one.arguments,
      }))
      return [message('assistant', { texts, calls })]
    }
    const id = String(said.toolCallId)
    if (type !== 'tool.execution_complete' || seen.has(id)) return []
    seen.add(id)
    const { content } = (said.result ?? { content: (said.error as Json).message }) as Json
    return [message('tool', { results: [{ id, text: String(content) }] })]
  })
}
