import type { Message as AgUi } from '@ag-ui/core'
import type Anthropic from '@anthropic-ai/sdk'
import type { Message as Bedrock } from '@aws-sdk/client-bedrock-runtime'
import type { Content } from '@google/genai'
import type { BaseMessageLike } from '@langchain/core/messages'
import type { ModelMessage, UIMessage } from 'ai'
import type OpenAI from 'openai'
import { expect, test } from 'vitest'
import { convert, createHealer } from '../../src/index.ts'

const history = [{ role: 'user', content: 'Hello.' }]

/** These assignments are checked by the compiler: each list is what the SDK of the format takes. */
test('[V20] a converted history has the type of its format', () => {
  const chat: OpenAI.Chat.ChatCompletionMessageParam[] = convert(history, { to: 'openai-chat' })
  const responses: OpenAI.Responses.ResponseInputItem[] = convert(history, { to: 'openai-responses' })
  const anthropic: Anthropic.MessageParam[] = convert(history, { to: 'anthropic' })
  const gemini: Content[] = convert(history, { to: 'gemini' })
  const bedrock: Bedrock[] = convert(history, { to: 'bedrock' })
  const model: ModelMessage[] = convert(history, { to: 'ai-sdk' })
  const ui: UIMessage[] = convert(history, { to: 'ai-sdk-ui' })
  const langchain: BaseMessageLike[] = convert(history, { to: 'langchain' })
  const agUi: AgUi[] = convert(history, { to: 'ag-ui' })
  const all = [chat, responses, anthropic, gemini, bedrock, model, ui, langchain, agUi]
  expect(all.map(messages => messages.length)).toEqual(all.map(() => 1))
  // @ts-expect-error The messages of one format are not those of another.
  const wrong: Anthropic.MessageParam[] = convert(history, { to: 'gemini' })
  expect(wrong).toEqual([{ role: 'user', parts: [{ text: 'Hello.' }] }])
})

test('[V21] a healer whose format is named returns messages of that type', () => {
  const healer = createHealer({ format: 'anthropic' })
  healer.push(...history)
  const messages: readonly Anthropic.MessageParam[] = healer.history
  expect(messages).toEqual(history)
})
