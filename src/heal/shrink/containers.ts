import { isRecord } from '../../core/conversation.ts'

/**
 * Whether a field of a message, or of what is in one, holds parts, calls, results or media in a form that a format defines. Of any other
 * field nothing is known: what it calls a name, an id or a status is content.
 */
export function isContainer(key: string, field: unknown, { role, type }: Readonly<Record<string, unknown>>): boolean {
  // What an AG-UI activity shows is data of the program.
  if (key === 'content') return role !== 'activity' && (!isRecord(field) || typeof field.type === 'string')
  // A message of LangChain as it is stored, or a file of the AI SDK; other parts of a chat of the AI SDK have data of the program there.
  if (key === 'data') return typeof type === 'string' && (langchainTypes.has(type) || type === 'file')
  // The ids of a stored file of the AI SDK, by the names of the providers.
  if (key === 'reference') return type === 'reference'
  return containers.has(key)
}

const langchainTypes = new Set(['human', 'ai', 'system', 'developer', 'tool', 'function', 'chat', 'remove'])

/** Fields of messages and parts in which there are parts, calls, results and media. */
const containers = new Set([
  ...[
    'parts',
    'kwargs',
    'additional_kwargs',
    'summary',
    'approval',
    'function',
    'custom',
    'toolInvocation',
    'content_blocks',
  ],
  ...['tool_calls', 'toolCalls', 'invalid_tool_calls', 'toolInvocations', 'function_call', 'functionCall'],
  ...['functionResponse', 'function_response', 'toolUse', 'toolResult', 'caller', 'cache_control', 'cachePoint'],
  ...['source', 'file', 'image', 'document', 'audio', 'video', 'image_url', 'input_audio', 'inlineData', 'inline_data'],
  ...['fileData', 'file_data', 'reasoningContent', 'reasoningText', 'thinking'],
  ...[
    'annotations',
    'citations',
    'providerOptions',
    'providerReference',
    'providerMetadata',
    'callProviderMetadata',
    'resultProviderMetadata',
  ],
  ...['openai', 'azure', 'anthropic', 'google', 'googleVertex', 'vertex', 'bedrock', 'mistral', 'xai'],
])
