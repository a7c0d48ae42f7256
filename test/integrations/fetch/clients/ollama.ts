import { type Message, Ollama } from 'ollama'
import { type Client, drain, tool } from './client.ts'

/** It rejects no broken pair, and has no ids: a result names its tool. */
export const ollama: Client = {
  name: 'ollama',
  refused: [],
  async ask({ url, messages, stream, fetch }) {
    const client = new Ollama({ host: url, fetch })
    const said = messages.map((message): Message => {
      if (message.who === 'tool') return { role: 'tool', tool_name: tool, content: message.text }
      if (message.who !== 'assistant') return { role: message.who, content: message.text }
      const { text = '', call } = message
      return {
        role: 'assistant',
        content: text,
        ...(call && { tool_calls: [{ function: { name: tool, arguments: {} } }] }),
      }
    })
    const request = { model: 'qwen3:8b', messages: said }
    return stream ? drain(await client.chat({ ...request, stream: true })) : client.chat({ ...request, stream: false })
  },
}
