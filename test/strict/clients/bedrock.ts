import {
  BedrockRuntimeClient,
  BedrockRuntimeServiceException,
  type ContentBlock,
  ConverseCommand,
  ConverseStreamCommand,
  type ConverseStreamOutput,
  type Message,
  ServiceUnavailableException,
  ThrottlingException,
} from '@aws-sdk/client-bedrock-runtime'
import { type Client, loop, schema } from './client.ts'

export const bedrock: Client = {
  name: 'aws bedrock',
  isError(error, status) {
    if (status === 429) return error instanceof ThrottlingException
    return error instanceof (status === 503 ? ServiceUnavailableException : BedrockRuntimeServiceException)
  },
  async converse(url, talk) {
    const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }
    const client = new BedrockRuntimeClient({ region: 'us-east-1', endpoint: url, credentials, maxAttempts: 1 })
    const messages: Message[] = [{ role: 'user', content: [{ text: talk.prompt }] }]
    const tools = talk.tools.map(name => ({ toolSpec: { name, inputSchema: { json: schema } } }))
    const heard = loop(talk, async results => {
      if (results.length > 0)
        messages.push({
          role: 'user',
          content: results.map(({ call, text }) => ({ toolResult: { toolUseId: call.id, content: [{ text }] } })),
        })
      const request = {
        modelId: 'anthropic.claude-sonnet-4-5-v1:0',
        messages,
        ...(tools.length > 0 && { toolConfig: { tools } }),
      }
      const content = talk.stream
        ? await gather((await client.send(new ConverseStreamCommand(request))).stream)
        : ((await client.send(new ConverseCommand(request))).output?.message?.content ?? [])
      messages.push({ role: 'assistant', content })
      const calls = content.flatMap(({ toolUse: call }) =>
        call ? [{ id: call.toolUseId ?? '', name: call.name ?? '', input: call.input }] : [],
      )
      return { text: content.map(({ text }) => text ?? '').join(''), calls }
    })
    return heard.finally(() => client.destroy())
  },
}

async function gather(stream: AsyncIterable<ConverseStreamOutput> | undefined): Promise<ContentBlock[]> {
  const content: ContentBlock[] = []
  const inputs: string[] = []
  for await (const { contentBlockStart, contentBlockDelta } of stream ?? []) {
    if (contentBlockStart?.start?.toolUse) {
      const { toolUseId, name } = contentBlockStart.start.toolUse
      inputs[contentBlockStart.contentBlockIndex ?? 0] = ''
      content[contentBlockStart.contentBlockIndex ?? 0] = { toolUse: { toolUseId, name, input: {} } }
    }
    const { contentBlockIndex: index = 0, delta } = contentBlockDelta ?? {}
    if (delta?.text !== undefined) content[index] = { text: (content[index]?.text ?? '') + delta.text }
    if (delta?.toolUse) inputs[index] += delta.toolUse.input
  }
  for (const [index, block] of content.entries())
    if (block.toolUse) block.toolUse.input = JSON.parse(inputs[index] || '{}')
  return content
}
