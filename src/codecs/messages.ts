// biome-ignore lint/suspicious/noExplicitAny: only the SDK of the provider types the contents, and it is not a dependency.
type Content = any

/** Messages of Chat Completions. */
export type ChatMessage =
  | { role: 'system' | 'developer' | 'user'; content: Content; name?: string }
  | { role: 'assistant'; content?: Content; tool_calls?: Content; [field: string]: Content }
  | { role: 'tool'; tool_call_id: string; content: Content }

/** Input items of the Responses API. Others, such as calls that the provider ran, have the fields that they came with. */
export type ResponsesItem =
  | { type?: 'message'; role: 'system' | 'developer' | 'user' | 'assistant'; content: Content }
  | { type: 'function_call'; call_id: string; name: string; arguments: string; id?: string }
  | { type: 'function_call_output'; call_id: string; output: Content }
  | { type: 'reasoning'; id: string; summary: Content; encrypted_content?: string | null }

export interface AnthropicMessage {
  role: 'user' | 'assistant'
  content: Content
}

export interface GeminiContent {
  role?: string
  parts?: Content[]
}

export interface BedrockMessage {
  role: 'user' | 'assistant'
  content: Content[]
}

/** Messages of the AI SDK (`ModelMessage`). */
export type AiSdkMessage =
  | { role: 'system'; content: string; providerOptions?: Content }
  | { role: 'user' | 'assistant'; content: Content; providerOptions?: Content }
  | { role: 'tool'; content: Content[]; providerOptions?: Content }

/** Messages of the user interface of the AI SDK (`UIMessage`). */
export interface AiSdkUiMessage {
  id: string
  role: 'system' | 'user' | 'assistant'
  parts: Content[]
  metadata?: Content
}

/** Messages of AG-UI. */
export type AgUiMessage =
  | { id: string; role: 'system' | 'developer'; content: string; name?: string }
  | { id: string; role: 'user'; content: Content; name?: string }
  | { id: string; role: 'assistant'; content?: Content; toolCalls?: Content[]; name?: string }
  | { id: string; role: 'tool'; content: Content; toolCallId: string; error?: string }

/** Messages of Ollama's own chat API. */
export type OllamaMessage =
  | { role: 'system' | 'user'; content: string; images?: string[] }
  | { role: 'assistant'; content: string; thinking?: string; images?: string[]; tool_calls?: Content[] }
  | { role: 'tool'; content: string; tool_name?: string; tool_call_id?: string; images?: string[] }

/** Messages of Pydantic AI (`ModelMessage`), as JSON. */
export type PydanticAiMessage =
  | { kind: 'request'; parts: Content[]; instructions?: string | null; [field: string]: Content }
  | { kind: 'response'; parts: Content[]; [field: string]: Content }

/** Input steps of Gemini's Interactions API. Others, such as calls that the provider ran, have the fields that they came with. */
export type InteractionStep =
  | { type: 'user_input' | 'model_output'; content?: Content[]; [field: string]: Content }
  | { type: 'thought'; signature?: string; summary?: Content[] }
  | { type: 'function_call'; id: string; name: string; arguments: Content }
  | { type: 'function_result'; call_id: string; name?: string; result: Content; is_error?: boolean }

/** The type of the messages of each format. Lists of them are accepted by the SDK of the format. */
export interface FormatMessages {
  'openai-chat': ChatMessage
  'openai-responses': ResponsesItem
  anthropic: AnthropicMessage
  gemini: GeminiContent
  bedrock: BedrockMessage
  'ai-sdk': AiSdkMessage
  'ai-sdk-ui': AiSdkUiMessage
  langchain: Content
  'ag-ui': AgUiMessage
  ollama: OllamaMessage
  'pydantic-ai': PydanticAiMessage
  'gemini-interactions': InteractionStep
}
