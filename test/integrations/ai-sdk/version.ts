import type { HealMessagesOptions } from '../../../src/integrations/ai-sdk/index.ts'
import type { Said } from '../fetch/failures.ts'
import type { ChatMessage } from './chats.ts'

export type Reader = 'openai' | 'openai-responses' | 'anthropic' | 'qwen-template'

export interface Question {
  readonly url: string
  readonly reader: Reader
  readonly messages?: readonly Said[]
  /** What a chat shows, instead of messages. */
  readonly chat?: readonly ChatMessage[]
  readonly stream: boolean
  readonly seam: Seam
  readonly options?: HealMessagesOptions
  readonly withTools?: boolean
}

/** What heals: nothing, the middleware alone, or the middleware with the messages healed before it, once or at each step. */
export type Seam = 'none' | 'middleware' | 'messages' | 'steps'

/** A version of the AI SDK with its own providers. */
export interface Version {
  readonly name: string
  /** Asks, and reads the answer to its end. Rejects with the library's own error. */
  ask(question: Question): Promise<string>
}

export const tool = 'run'
