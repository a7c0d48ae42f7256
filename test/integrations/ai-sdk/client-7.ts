import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import {
  AbstractChat,
  type ChatInit,
  type ChatState,
  DefaultChatTransport,
  jsonSchema,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  streamText,
  type ToolSet,
  type UIMessage,
  wrapLanguageModel,
} from 'ai'
import { healMiddleware } from '../../../src/integrations/ai-sdk/index.ts'
import type { ChatClient, Talk } from './client.ts'

export const client7: ChatClient = {
  name: 'ai 7',
  tool: (execute, more = {}) => ({ inputSchema: jsonSchema({ type: 'object' }), ...(execute && { execute }), ...more }),
  models: {
    openai: url => ask(createOpenAI({ baseURL: `${url}/v1`, apiKey: 'any' }).chat('gpt-5')),
    'openai-responses': url => ask(createOpenAI({ baseURL: `${url}/v1`, apiKey: 'any' }).responses('gpt-5')),
    anthropic: url => ask(createAnthropic({ baseURL: `${url}/v1`, apiKey: 'any' })('claude-sonnet-4-5')),
  },
  open({ url, id, messages = [] }) {
    const isComplete: NonNullable<ChatInit<UIMessage>['sendAutomaticallyWhen']> = chat =>
      lastAssistantMessageIsCompleteWithApprovalResponses(chat) || lastAssistantMessageIsCompleteWithToolCalls(chat)
    const failures: Error[] = []
    const chat = new TestChat({
      id,
      transport: new DefaultChatTransport({ api: `${url}/api/chat` }),
      sendAutomaticallyWhen: isComplete,
      onError: error => failures.push(error),
      state: stateOf(messages as UIMessage[]),
    })
    return {
      failures,
      get status() {
        return chat.status
      },
      get messages() {
        return chat.messages as Talk['messages']
      },
      send: (text, messageId) =>
        messageId === undefined
          ? chat.sendMessage({ text })
          : chat.sendMessage({ id: messageId, role: 'user', parts: [{ type: 'text', text }] }),
      edit: (messageId, text, id) =>
        id === undefined
          ? chat.sendMessage({ text, messageId })
          : chat.sendMessage({ id, role: 'user', parts: [{ type: 'text', text }], messageId }),
      regenerate: messageId => chat.regenerate(messageId === undefined ? {} : { messageId }),
      show(messages) {
        chat.messages = [...messages] as UIMessage[]
      },
      resume: () => chat.resumeStream(),
      stop: () => chat.stop(),
      approve: async (approvalId, approved, reason, inputs) =>
        chat.addToolApprovalResponse({
          ...{ id: approvalId, approved, ...(reason === undefined ? {} : { reason }) },
          ...(inputs && { options: { body: { inputs } } }),
        }),
      output: async (toolCallId, output) => chat.addToolOutput({ tool: 'locate', toolCallId, output }),
    }
  },
}

class TestChat extends AbstractChat<UIMessage> {}

function stateOf(messages: UIMessage[]): ChatState<UIMessage> {
  return {
    status: 'ready',
    error: undefined,
    messages,
    pushMessage(message) {
      this.messages = [...this.messages, message]
    },
    popMessage() {
      this.messages = this.messages.slice(0, -1)
    },
    replaceMessage(index, message) {
      this.messages = this.messages.with(index, structuredClone(message))
    },
    snapshot: value => structuredClone(value),
  }
}

const ask =
  (plain: Parameters<typeof wrapLanguageModel>[0]['model']): ReturnType<ChatClient['models']['openai']> =>
  ({ messages, signal, tools }) => {
    const model = wrapLanguageModel({ model: plain, middleware: healMiddleware() })
    return streamText({ model, messages, tools: tools as ToolSet, abortSignal: signal, maxRetries: 0, onError() {} })
  }
