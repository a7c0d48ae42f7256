import {
  BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
  ConverseStreamCommand,
  type Message,
} from '@aws-sdk/client-bedrock-runtime'
import type { Said } from '../fetch/failures.ts'

export const model = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'

export const toolConfig: ConverseCommandInput['toolConfig'] = {
  tools: [{ toolSpec: { name: 'run', inputSchema: { json: { type: 'object' } } } }],
}

/** A client with keys of its own, so that every request is signed. */
export const connect = (endpoint: string, maxAttempts = 1): BedrockRuntimeClient =>
  new BedrockRuntimeClient({
    ...{ region: 'us-east-1', endpoint, maxAttempts },
    credentials: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'any' },
  })

/** Neighbouring results share a message, as users of the library write them. */
export function converseMessages(messages: readonly Said[]): Message[] {
  const list: Message[] = []
  for (const [index, message] of messages.entries()) {
    const before = messages[index - 1]?.who === 'tool' ? list.at(-1)?.content : undefined
    if (message.who === 'tool') {
      const { call, text, isError } = message
      const block = {
        toolResult: { toolUseId: call, content: [{ text }], ...(isError && { status: 'error' as const }) },
      }
      if (before) before.push(block)
      else list.push({ role: 'user', content: [block] })
    } else if (message.who === 'assistant') {
      const { text, call } = message
      const content = [
        ...(text === undefined ? [] : [{ text }]),
        ...(call === undefined ? [] : [{ toolUse: { toolUseId: call, name: 'run', input: {} } }]),
      ]
      list.push({ role: 'assistant', content })
    } else list.push({ role: message.who as 'user', content: [{ text: message.text }] })
  }
  return list
}

/** Sends it, and reads the answer to its end. */
export async function converse(client: BedrockRuntimeClient, input: ConverseCommandInput, stream = false) {
  if (!stream) return client.send(new ConverseCommand(input))
  const output = await client.send(new ConverseStreamCommand(input))
  for await (const event of output.stream ?? []) if (event.validationException) throw event.validationException
  return output
}
