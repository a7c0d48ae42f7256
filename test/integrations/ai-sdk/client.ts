import type { ChatModelRequest, ChatTool, ChatTools } from '../../../src/integrations/ai-sdk/index.ts'

export type Provider = 'openai' | 'openai-responses' | 'anthropic'

/** A version of the AI SDK as the browser and the server have it. */
export interface ChatClient {
  readonly name: string
  tool(execute?: (input: never) => unknown, more?: Partial<ChatTool>): ChatTool
  /** The model function of each provider. */
  readonly models: Record<Provider, (url: string) => (request: ChatModelRequest<ChatTools>) => unknown>
  /** The chat as `useChat` holds it, over HTTP. */
  open(options: { url: string; id: string; messages?: unknown[] }): Talk
}

export interface Talk {
  readonly status: string
  readonly messages: readonly TalkMessage[]
  readonly failures: readonly Error[]
  send(text: string, messageId?: string): Promise<void>
  /** Replaces a message, under its id or under a new one. */
  edit(messageId: string, text: string, id?: string): Promise<void>
  /** Has the last message answered again, or the named one. */
  regenerate(messageId?: string): Promise<void>
  show(messages: Talk['messages']): void
  resume(): Promise<void>
  stop(): Promise<void>
  approve(approvalId: string, approved: boolean, reason?: string, inputs?: Record<string, unknown>): Promise<unknown>
  output(toolCallId: string, output: unknown): Promise<unknown>
}

export interface TalkMessage {
  readonly id: string
  readonly role: string
  readonly parts: readonly TalkPart[]
}

export interface TalkPart {
  readonly type: string
  readonly text?: string
  readonly state?: string
  readonly toolCallId?: string
  readonly output?: unknown
  readonly errorText?: string
  readonly approval?: { readonly id: string; readonly approved?: boolean }
}
