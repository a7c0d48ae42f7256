import { isRecord } from '../../core/conversation.ts'

/** Contents of user input and model output. Alone in the list they are one user message. */
export const contentTypes: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'document', 'video'])

/** Whether a value is one content, which is not a message of another format. */
export const isContent = (value: unknown): boolean =>
  isRecord(value) && !('role' in value) && contentTypes.has(value.type)

const providerTools = [
  ...['code_execution', 'file_search', 'google_maps', 'google_search'],
  ...['mcp_server_tool', 'processing', 'retrieval', 'url_context'],
]

/** Calls that the provider runs itself, and their results. They belong to the assistant and are left alone. */
export const providerSteps: ReadonlySet<unknown> = new Set(
  providerTools.flatMap(tool => [`${tool}_call`, `${tool}_result`]),
)

/** Steps that the API accepts and that belong to no role. They are left alone. */
export const keptSteps: ReadonlySet<unknown> = new Set([
  ...['compaction', 'transcription', 'elicitation_call', 'elicitation_result', 'audio_truncation'],
  ...['playback_awaiting', 'playback_interruption', 'playback_complete', 'content'],
])
