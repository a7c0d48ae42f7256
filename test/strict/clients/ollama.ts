import { type Message, Ollama } from 'ollama'
import { type Client, loop, schema } from './client.ts'

/** The official client. An error inside a stream is an `Error` with the words of the server. */
export const ollama: Client = {
  name: 'ollama',
  withoutIds: true,
  skipsMalformed: true,
  isError(error, status) {
    if (!(error instanceof Error)) return false
    return (
      status === undefined || (error.name === 'ResponseError' && 'status_code' in error && error.status_code === status)
    )
  },
  converse(url, talk) {
    const client = new Ollama({ host: `${url}/ollama` })
    const messages: Message[] = [{ role: 'user', content: talk.prompt }]
    const tools = talk.tools.map(name => ({ type: 'function', function: { name, parameters: schema } }))
    return loop(talk, async results => {
      messages.push(...results.map(({ call, text }) => ({ role: 'tool', tool_name: call.name, content: text })))
      const said = await ask(client, messages, tools, talk.stream)
      messages.push(said)
      const calls = (said.tool_calls ?? []).map(({ function: { name, arguments: input } }) => ({ id: '', name, input }))
      return { text: said.content, calls }
    })
  },
}

async function ask(client: Ollama, messages: Message[], tools: object[], stream: boolean): Promise<Message> {
  const request = { model: 'qwen3:8b', messages, tools: tools as [] }
  if (!stream) return (await client.chat({ ...request, stream: false })).message
  const whole: Message = { role: 'assistant', content: '' }
  for await (const { message } of await client.chat({ ...request, stream: true })) {
    whole.content += message.content
    if (message.tool_calls) whole.tool_calls = [...(whole.tool_calls ?? []), ...message.tool_calls]
  }
  return whole
}
