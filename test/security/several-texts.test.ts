import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { generateText, jsonSchema, type ModelMessage, type ToolSet, wrapLanguageModel } from 'ai'
import { expect, test } from 'vitest'
import { healMiddleware, healModelMessages } from '../../src/integrations/ai-sdk/index.ts'
import { startStrict } from '../../src/strict/index.ts'

const text = (text: string) => ({ type: 'text' as const, text })
const image = {
  type: 'image-data' as const,
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  mediaType: 'image/png',
}

type Blocks = (ReturnType<typeof text> | typeof image)[]

test.each<[string, Blocks, string[]]>([
  ['several texts', [text('one'), text('two')], ['one', 'two']],
  ['texts around an image', [text('one'), image, text('two')], ['one', 'two', image.data]],
  ['only an image', [image], [image.data]],
  ['no content', [], []],
])('[SE652] a result with %s is accepted by Gemini 2.5, beside another one', async (_, value, kept) => {
  await using strict = await startStrict({ script: () => 'Done.' })
  const model = createGoogleGenerativeAI({ baseURL: `${strict.url}/v1beta`, apiKey: 'any' })('gemini-2.5-pro')
  const tools: ToolSet = { look: { inputSchema: jsonSchema({ type: 'object' }) } }
  const call = (toolCallId: string) => ({ type: 'tool-call' as const, toolCallId, toolName: 'look', input: {} })
  const result = (toolCallId: string) => ({ type: 'tool-result' as const, toolCallId, toolName: 'look' })
  const messages: ModelMessage[] = [
    { role: 'user', content: 'Look twice.' },
    { role: 'assistant', content: [call('call_1'), call('call_2')] },
    {
      role: 'tool',
      content: [
        { ...result('call_1'), output: { type: 'content', value } },
        { ...result('call_2'), output: { type: 'content', value: [text('three')] } },
      ],
    },
  ]
  const ask = async (healed: ModelMessage[], asked = model) =>
    (await generateText({ model: asked, tools, messages: healed, maxRetries: 0 })).text
  await expect(ask(messages)).rejects.toThrow('number of function response parts')
  expect(await ask(healModelMessages(messages, { model }))).toBe('Done.')
  expect(await ask(messages, wrapLanguageModel({ model, middleware: healMiddleware() }))).toBe('Done.')
  const sent = JSON.stringify(strict.requests.at(-1)?.body)
  for (const words of [...kept, 'three']) expect(sent).toContain(words)
  const [, , healthy] = messages.with(2, {
    role: 'tool',
    content: [{ ...result('call_1'), output: { type: 'content', value: [text('x'), image] } }],
  })
  const whole = [messages[0], { role: 'assistant', content: [call('call_1')] }, healthy] as ModelMessage[]
  expect(healModelMessages(whole, { model })).toBe(whole)
})
