import { qwenCode } from '../../../../src/doctor/systems/qwen-code/index.ts'
import type { Random } from '../../../laws/random.ts'
import { type ChatMessage, message } from '../../chat/chat.ts'
import { lineSubject, recordsOf, timeOf, uuidBy } from '../../chat/line-subject.ts'

type Json = Record<string, unknown>

const sessionId = 'b42e8b4b-218e-4a72-adf9-55077a077ac1'

export const subject = lineSubject({
  system: qwenCode,
  file: `projects/-home-dev-shop/chats/${sessionId}.jsonl`,
  records,
  read,
})

function records(random: Random, chat: readonly ChatMessage[]): Json[] {
  const list: Json[] = []
  let parentUuid: string | null = null
  const add = (record: Json): void => {
    const uuid = uuidBy(random)
    const base = {
      uuid,
      parentUuid,
      sessionId,
      timestamp: timeOf(list.length),
      cwd: '/home/dev/shop',
      version: '0.24.4',
    }
    list.push({ ...base, ...record })
    parentUuid = uuid
  }
  for (const { role, texts, calls, results } of chat) {
    const said = texts.map(text => ({ text }))
    if (role === 'user') add({ type: 'user', message: { role: 'user', parts: said } })
    for (const { id, text } of results)
      add({
        type: 'tool_result',
        message: { role: 'user', parts: [{ functionResponse: { id, name: 'bash', response: { output: text } } }] },
        toolCallResult: { callId: id, status: 'success', resultDisplay: text },
      })
    if (role !== 'assistant') continue
    const asked = calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }))
    add({ type: 'assistant', model: 'qwen3-coder-plus', message: { role: 'model', parts: [...said, ...asked] } })
    if (random.chance(0.3)) add({ type: 'system', subtype: 'ui_telemetry', systemPayload: { uiEvent: { n: 1.0 } } })
  }
  return list
}

/** The chain of parents from the last record. Records that share a line are read. */
function read(text: string): ChatMessage[] {
  const all = recordsOf(text.replaceAll('}{"uuid"', '}\n{"uuid"')).filter(({ uuid }) => typeof uuid === 'string')
  const byId = new Map(all.map(record => [record.uuid, record]))
  const chain: Json[] = []
  for (let uuid = all.at(-1)?.uuid; uuid; uuid = chain[0].parentUuid) {
    const record = byId.get(uuid)
    if (!record) throw new Error(`the parent ${uuid} is missing`)
    chain.unshift(record)
  }
  return chain.flatMap(({ type, message: said }) => {
    if (type === 'system' || !said) return []
    const parts = (said as { parts: Record<string, Json>[] }).parts
    const texts = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    const calls = parts.flatMap(({ functionCall: call }) =>
      call ? [{ id: String(call.id), name: String(call.name), input: call.args }] : [],
    )
    const results = parts.flatMap(({ functionResponse: one }) =>
      one ? [{ id: String(one.id), text: JSON.stringify(one.response) }] : [],
    )
    return [message(type === 'assistant' ? 'assistant' : 'user', { texts, calls, results })]
  })
}
