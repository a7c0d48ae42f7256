import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import {
  convertToModelMessages,
  generateText,
  jsonSchema,
  type ModelMessage,
  streamText,
  type ToolSet,
  type UIMessage,
  wrapLanguageModel,
} from 'ai'
import { healMiddleware, healModelMessages, healSteps, healUIMessages } from '../../../src/integrations/ai-sdk/index.ts'
import { modelMessages } from './said.ts'
import { type Question, type Reader, tool, type Version } from './version.ts'

const apiKey = 'any'

const models = {
  openai: url => createOpenAI({ baseURL: `${url}/v1`, apiKey }).chat('gpt-5'),
  'openai-responses': url => createOpenAI({ baseURL: `${url}/v1`, apiKey }).responses('gpt-5'),
  anthropic: url => createAnthropic({ baseURL: `${url}/v1`, apiKey })('claude-sonnet-4-5'),
  'qwen-template': url => createOpenAI({ baseURL: `${url}/qwen-template/v1`, apiKey }).chat('qwen3.5-27b'),
} satisfies Record<Reader, (url: string) => unknown>

export const version7: Version = {
  name: 'ai 7',
  async ask(question) {
    const { url, reader, stream, seam, options = {}, withTools = true } = question
    const { model: _, ...choices } = options
    const plain = models[reader](url)
    const model = seam === 'none' ? plain : wrapLanguageModel({ model: plain, middleware: healMiddleware(choices) })
    const tools: ToolSet = { [tool]: { inputSchema: jsonSchema({ type: 'object', properties: {} }) } }
    const asked = {
      model,
      messages: await messagesOf(question),
      ...(withTools ? { tools } : {}),
      ...(seam === 'steps' ? { prepareStep: healSteps(options) } : {}),
      maxRetries: 0,
      allowSystemInMessages: true,
    }
    if (!stream) return (await generateText(asked)).text
    let failure: unknown
    const result = streamText({
      ...asked,
      onError: ({ error }) => {
        failure ??= error
      },
    })
    await result.consumeStream()
    if (failure !== undefined) throw failure
    return result.text
  },
}

async function messagesOf({ messages, chat, seam, options }: Question): Promise<ModelMessage[]> {
  if (chat) {
    const shown: UIMessage[] = [...chat]
    return convertToModelMessages(seam === 'none' ? shown : healUIMessages(shown, options))
  }
  const asked: ModelMessage[] = modelMessages(messages ?? [])
  return seam === 'messages' ? healModelMessages(asked, options) : asked
}
