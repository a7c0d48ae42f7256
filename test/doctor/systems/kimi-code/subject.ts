import { kimiCode } from '../../../../src/doctor/systems/kimi-code/index.ts'
import type { Random } from '../../../laws/random.ts'
import { type ChatMessage, message } from '../../chat/chat.ts'
import { lineSubject, recordsOf, uuidBy } from '../../chat/line-subject.ts'

type Json = Record<string, unknown>

export const subject = lineSubject({
  system: kimiCode,
  file: 'sessions/wd_shop_e828acfc792e/session_01998bd4-77aa-7b10-9d31-1f0c5b6a7e88/agents/main/wire.jsonl',
  records,
  read,
})

/** A step is ended after its results, so a step ends where something else than a result follows. */
function records(random: Random, chat: readonly ChatMessage[]): Json[] {
  const list: Json[] = [{ type: 'metadata', protocol_version: '1.4', created_at: 1_786_529_700_000 }]
  let step: string | undefined
  const add = (type: string, more: Json): void => {
    list.push({ type, ...more, time: 1_786_529_700_000 + list.length })
  }
  const event = (one: Json): void => add('context.append_loop_event', { event: one })
  const end = (): void => {
    if (step !== undefined) event({ type: 'step.end', uuid: step })
    step = undefined
  }
  for (const { role, texts, calls, results } of chat) {
    if (role !== 'tool') end()
    if (role === 'user') {
      add('turn.prompt', { input: [{ type: 'text', text: 'prompt' }] })
      const content = texts.map(text => ({ type: 'text', text }))
      add('context.append_message', { message: { role, content, toolCalls: [] } })
    }
    for (const { id, text } of results)
      event({ type: 'tool.result', parentUuid: id, toolCallId: id, result: { output: text } })
    if (role !== 'assistant') continue
    const stepUuid = uuidBy(random)
    step = stepUuid
    event({ type: 'step.begin', uuid: stepUuid, turnId: '0', step: 1 })
    for (const text of texts)
      event({ type: 'content.part', uuid: uuidBy(random), stepUuid, part: { type: 'text', text } })
    for (const { id, name, input } of calls)
      event({ type: 'tool.call', uuid: id, stepUuid, toolCallId: id, name, args: input })
  }
  end()
  return list
}

/** The log in order. A line that cannot be read, a step that was not begun and a result that is not awaited are refused. */
function read(text: string): ChatMessage[] {
  const chat: ChatMessage[] = []
  const held: ChatMessage[] = []
  const steps = new Map<unknown, number>()
  let open: string[] = []
  for (const { type, message: said, event } of recordsOf(text, true)) {
    if (type === 'context.append_message') {
      const { role, content } = said as { role: 'user'; content: { text: string }[] }
      ;(open.length > 0 ? held : chat).push(message(role, { texts: content.map(part => part.text) }))
    }
    if (type !== 'context.append_loop_event') continue
    const one = event as Json
    if (one.type === 'step.begin') {
      if (open.length > 0) throw new Error(`a step begins while ${open} have no result`)
      steps.set(one.uuid, chat.push(message('assistant', {})) - 1)
    } else if (one.type === 'tool.result') {
      const id = String(one.toolCallId)
      if (!open.includes(id)) throw new Error(`the result of ${id} is not awaited`)
      open = open.filter(other => other !== id)
      chat.push(message('tool', { results: [{ id, text: String((one.result as Json).output) }] }))
      if (open.length === 0) chat.push(...held.splice(0))
    } else if (one.type === 'content.part' || one.type === 'tool.call') {
      const at = steps.get(one.stepUuid)
      if (at === undefined) throw new Error('a step was not begun')
      const { texts, calls } = chat[at]
      if (one.type === 'content.part') chat[at] = { ...chat[at], texts: [...texts, String((one.part as Json).text)] }
      else {
        const id = String(one.toolCallId)
        chat[at] = { ...chat[at], calls: [...calls, { id, name: String(one.name), input: one.args }] }
        open.push(id)
      }
    }
  }
  return [...chat, ...held]
}
