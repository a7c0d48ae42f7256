import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createMistral } from '@ai-sdk/mistral'
import { createOpenAI } from '@ai-sdk/openai'
import { APICallError, generateText, isStepCount, jsonSchema, type LanguageModel, streamText, tool } from 'ai'
import { type Client, schema } from './client.ts'

const models: Record<string, (url: string) => LanguageModel> = {
  'openai chat': url => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'any' }).chat('gpt-5'),
  'openai responses': url => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'any' }).responses('gpt-5'),
  anthropic: url => createAnthropic({ baseURL: `${url}/v1`, apiKey: 'any' })('claude-opus-4-5'),
  google: url => createGoogle({ baseURL: `${url}/v1beta`, apiKey: 'any' })('gemini-3-pro'),
  bedrock: url => createAmazonBedrock({ baseURL: url, apiKey: 'any', region: 'us-east-1' })('anthropic.claude-v1:0'),
  mistral: url => createMistral({ baseURL: `${url}/mistral/v1`, apiKey: 'any' })('mistral-large-latest'),
}

export const aiSdk: Client[] = Object.entries(models).map(([name, model]) => ({
  name: `ai-sdk ${name}`,
  isError: (error, status) =>
    status === undefined ? error instanceof Error : APICallError.isInstance(error) && error.statusCode === status,
  async converse(url, talk) {
    const tools = Object.fromEntries(
      talk.tools.map(name => [
        name,
        tool({ inputSchema: jsonSchema(schema), execute: async input => talk.run(name, input) }),
      ]),
    )
    const options = { model: model(url), prompt: talk.prompt, tools, stopWhen: isStepCount(8), maxRetries: 0 }
    if (!talk.stream) return heard(await generateText(options))
    let failure: unknown
    const result = streamText({
      ...options,
      onError: ({ error }) => {
        failure ??= error
      },
    })
    await result.consumeStream()
    if (failure !== undefined) throw failure
    return heard({ text: await result.text, steps: await result.steps })
  },
}))

type Steps = { toolCalls: { toolCallId: string; toolName: string; input: unknown }[] }[]

const heard = ({ text, steps }: { text: string; steps: Steps }) => ({
  text,
  steps: steps
    .map(({ toolCalls }) =>
      toolCalls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, input })),
    )
    .filter(calls => calls.length > 0),
})
