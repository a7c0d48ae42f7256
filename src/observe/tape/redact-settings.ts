import { isRecord } from '../../core/conversation.ts'
import { type Filler, fillLink, isLink } from './filler.ts'
import { isPlainKey } from './json-filler.ts'
import { redactArguments, redactData } from './redact-messages.ts'

/** Whether a field of a request holds message content, and not settings. */
export const holdsContent = (key: string): boolean => contentFields.has(key)

const contentFields = new Set([
  ...['messages', 'input', 'contents', 'system', 'instructions', 'systemInstruction', 'system_instruction'],
  ...['prompt', 'suffix', 'prediction', 'chat_history', 'message', 'preamble', 'documents', 'tool_results'],
])

/**
 * The settings around the history of a request. Numbers and booleans are kept, and so are strings that are tool names or values from a
 * provider's fixed list. Descriptions, defaults and unknown fields become filler.
 */
function redactSettings(value: unknown, filler: Filler, key: string, within = ''): unknown {
  // Keys under `properties` are parameter names: a field called `default` there is not a default value.
  if (userData.has(key) && within !== 'properties') return redactData(value, filler, false)
  if (typeof value === 'string') {
    if (kept.has(key)) return value
    return isLink(key) ? fillLink(value, filler) : filler.text(value)
  }
  if (Array.isArray(value)) return value.map(item => redactSettings(item, filler, key, within))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, redactSettings(field, filler, name, key)]),
  )
}

/** A field of a request next to its history. Of a field that no provider has, only its own name is kept. */
export function redactSetting(value: unknown, filler: Filler, key: string): unknown {
  const isUnknown = !settingFields.has(key) && !userData.has(key)
  return isUnknown && holdsRecords(value) ? redactArguments(value, filler) : redactSettings(value, filler, key)
}

const holdsRecords = (value: unknown): boolean => (Array.isArray(value) ? value.some(holdsRecords) : isRecord(value))

/** Fields of providers with settings in fields of their own. */
const settingFields = new Set([
  ...['tools', 'functions', 'tool_choice', 'toolChoice', 'toolConfig', 'tool_config', 'function_call', 'mcp_servers'],
  ...['thinking', 'reasoning', 'reasoning_config', 'response_format', 'responseFormat', 'text', 'output_config'],
  ...['output_format', 'generationConfig', 'generation_config', 'inferenceConfig', 'additionalModelRequestFields'],
  ...['context_management', 'compaction', 'stream_options', 'cache_control', 'container', 'conversation', 'audio'],
  ...['safetySettings', 'safety_settings', 'guardrailConfig', 'performanceConfig', 'web_search_options', 'config'],
  ...[
    'outputConfig',
    'promptVariables',
    'moderation',
    'provider',
    'plugins',
    'providerOptions',
    'chat_template_kwargs',
  ],
])

/** The names of parameters that the tools of a request declare. */
export function declaredNames({ tools, functions, toolConfig, tool_config }: Readonly<Record<string, unknown>>) {
  const names = new Set<string>()
  const left: unknown[] = [tools, functions, toolConfig, tool_config]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null) continue
    const { properties } = value as { properties?: unknown }
    if (isRecord(properties)) for (const name of Object.keys(properties)) if (isPlainKey(name)) names.add(name)
    for (const inner of Object.values(value)) left.push(inner)
  }
  return names
}

/** Data of the calling program, and example values of tool parameters. */
const userData = new Set([
  ...['metadata', 'requestMetadata', 'labels', 'user', 'user_location', 'safety_identifier', 'prompt_cache_key'],
  ...['default', 'enum', 'const', 'example', 'examples'],
])

const kept = new Set([
  ...['model', 'modelId', 'type', 'name', 'names', 'id', 'mode', 'format', 'pattern', 'required', '$ref', '$schema'],
  ...['tool_choice', 'toolChoice', 'tool', 'function_call', 'allowed_function_names', 'allowedFunctionNames'],
  ...[
    'previous_response_id',
    'previous_interaction_id',
    'conversation',
    'cachedContent',
    'cached_content',
    'threadId',
    'runId',
  ],
  ...['effort', 'reasoning_effort', 'summary', 'verbosity', 'service_tier', 'serviceTier', 'truncation', 'include'],
  ...['anthropic_version', 'anthropic_beta', 'safety_mode', 'thinkingLevel', 'thinking_level', 'reasoning_format'],
  ...['modalities', 'responseModalities', 'responseMimeType', 'response_mime_type', 'cache_control', 'ttl'],
  ...['category', 'threshold', 'latency', 'trace', 'role', 'server_label', 'search_context_size', 'media_type'],
  ...['prompt_cache_retention', 'additionalModelResponseFieldPaths', 'additional_model_response_field_paths'],
])

/** The request without its credentials, whether or not anything else is redacted. */
export function withoutCredentials(value: unknown, within = '', isInside = false): unknown {
  if (Array.isArray(value)) return value.map(item => withoutCredentials(item, within, isInside))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      // A tool may have a parameter called `password`: its schema is not a secret.
      .filter(([key]) => within === 'properties' || !isSecret(key))
      .map(([key, field]) => [key, !isInside && holdsContent(key) ? field : withoutCredentials(field, key, true)]),
  )
}

/** Whether a field has the name of a credential. Requests can contain some, for example of MCP servers. */
export const isSecret = (key: string): boolean => key.length <= 64 && secret.test(key.replaceAll(/[-_]/g, ''))

const secret =
  /(?:authorization(?:token)?|headers|apikey|(?:access|auth|bearer|refresh|session|oauth)token|secret|secret(?:access)?key|privatekey|password|passwd|credentials|connectionstring|cookie)$/i
