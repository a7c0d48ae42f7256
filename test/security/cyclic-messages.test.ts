import { AIMessage, HumanMessage } from '@langchain/core/messages'
import { expect, test } from 'vitest'
import { healMiddleware } from '../../src/integrations/ai-sdk/index.ts'
import { healMessages } from '../../src/integrations/langchain/index.ts'
import { healInputFilter } from '../../src/integrations/openai-agents/index.ts'

/** What a raw response or a socket in the metadata of a message looks like. */
function cyclic(): object {
  const cycle: unknown[] = []
  cycle.push(cycle, { again: cycle })
  return { cycle }
}

const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
const onError = (): void => {}

test.each([
  ['alone', []],
  ['next to an image', [new HumanMessage({ content: [image] })]],
])('[SE185] a LangChain message whose metadata contain themselves, %s, is passed on', async (_, more) => {
  const messages = [
    ...more,
    new HumanMessage('hi'),
    new AIMessage({ content: 'words', additional_kwargs: cyclic() as never }),
  ]
  const model = { getName: () => 'ChatOpenAI', model: 'gpt-5' }
  expect(await healMessages(messages, { for: 'openai', model, onError })).toHaveLength(messages.length)
})

test('[SE185] an item of the OpenAI Agents SDK that contains itself is passed on', () => {
  const filter = healInputFilter({ onError })
  const modelData = { input: [{ role: 'user', content: 'hi', providerData: cyclic() }] as never[], instructions: '' }
  expect(filter({ modelData, agent: { model: 'gpt-5' } } as never)).toBe(modelData)
})

test('[SE185] a prompt of the AI SDK that contains itself is passed on', async () => {
  const params = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }], providerOptions: cyclic() }] }
  const model = { modelId: 'gpt-5', provider: 'openai', specificationVersion: 'v3' }
  const { transformParams } = healMiddleware({ onError }) as never as { transformParams(options: object): unknown }
  expect(await transformParams({ params, type: 'generate', model })).toEqual(params)
})
