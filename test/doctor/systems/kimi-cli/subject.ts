import { kimiCli } from '../../../../src/doctor/systems/kimi-cli/index.ts'
import type { Random } from '../../../laws/random.ts'
import { type ChatMessage, message } from '../../chat/chat.ts'
import { lineSubject, recordsOf } from '../../chat/line-subject.ts'

type Json = Record<string, unknown>

export const subject = lineSubject({
  system: kimiCli,
  file: 'sessions/11e9fe063b91149eb10c6daf331adfaa/462ecd87-0da0-5f08-ae70-e58d7851120c/context.jsonl',
  records,
  read,
})

function records(random: Random, chat: readonly ChatMessage[]): Json[] {
  let checkpoint = 0
  return [
    { role: '_system_prompt', content: 'You are Kimi.' },
    ...chat.flatMap(({ role, texts, calls, results }): Json[] => {
      const content = texts.join('\n')
      if (role === 'user')
        return [
          { role: '_checkpoint', id: checkpoint++ },
          { role, content },
        ]
      if (role === 'tool')
        return results.map(({ id, text }) => ({ role, content: [{ type: 'text', text }], tool_call_id: id }))
      const tool_calls = calls.map(({ id, name, input }) => ({
        type: 'function',
        id,
        function: { name, arguments: JSON.stringify(input) },
      }))
      const notes = random.chance(0.5) ? [{ role: '_usage', token_count: 4100 }] : []
      return [{ role, content, ...(calls.length > 0 && { tool_calls }) }, ...notes]
    }),
  ]
}

function read(text: string): ChatMessage[] {
  return recordsOf(text).flatMap(({ role, content, tool_calls: calls = [], tool_call_id: id }) => {
    const said = typeof content === 'string' ? content : ((content ?? []) as Json[]).map(({ text }) => text).join('\n')
    const texts = said === '' ? [] : [said]
    if (role === 'tool') return [message('tool', { results: [{ id: String(id), text: said }] })]
    if (role === 'user') return [message('user', { texts })]
    if (role !== 'assistant') return []
    const asked = (calls as { id: string; function: { name: string; arguments: string } }[]).map(call => ({
      id: call.id,
      name: call.function.name,
      input: JSON.parse(call.function.arguments),
    }))
    return [message('assistant', { texts, calls: asked })]
  })
}
