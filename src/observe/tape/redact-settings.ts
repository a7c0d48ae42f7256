import { isRecord } from '../../core/conversation.ts'
import { fillLink, isLink } from './fill-link.ts'
import type { Filler } from './filler.ts'
import { redactData } from './redact-wire.ts'

/** Whether a field of a request holds what was said, and not how to answer it. */
export const isWords = (key: string): boolean => words.has(key)

const words = new Set([
  ...['messages', 'input', 'contents', 'system', 'instructions', 'systemInstruction', 'system_instruction'],
  ...['prompt', 'suffix', 'prediction', 'chat_history', 'message', 'preamble', 'documents', 'tool_results'],
])

/**
 * What a request says around its history: numbers and switches stay, and of the texts those that a provider has a list of,
 * or that name a tool. Descriptions, defaults and whatever is not known become filler.
 */
export function redactSettings(value: unknown, filler: Filler, key: string, within = ''): unknown {
  // Under `properties` keys are the tool's own: there a field that is called `default` is no default.
  if (own.has(key) && within !== 'properties') return redactData(value, filler, false)
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

/** Data of the program that asks, and values that a tool may be given. */
const own = new Set([
  ...['metadata', 'requestMetadata', 'labels', 'user', 'user_location', 'safety_identifier', 'prompt_cache_key'],
  ...['default', 'enum', 'const', 'example', 'examples'],
])

const kept = new Set([
  ...['model', 'modelId', 'type', 'name', 'names', 'id', 'mode', 'format', 'pattern', 'required', '$ref', '$schema'],
  ...['tool_choice', 'toolChoice', 'tool', 'function_call', 'allowed_function_names', 'allowedFunctionNames'],
  ...['previous_response_id', 'conversation', 'cachedContent', 'cached_content', 'threadId', 'runId'],
  ...['effort', 'reasoning_effort', 'summary', 'verbosity', 'service_tier', 'serviceTier', 'truncation', 'include'],
  ...['anthropic_version', 'anthropic_beta', 'safety_mode', 'thinkingLevel', 'thinking_level', 'reasoning_format'],
  ...['modalities', 'responseModalities', 'responseMimeType', 'response_mime_type', 'cache_control', 'ttl'],
  ...['category', 'threshold', 'latency', 'trace', 'role', 'server_label', 'search_context_size', 'media_type'],
  ...['prompt_cache_retention', 'additionalModelResponseFieldPaths', 'additional_model_response_field_paths'],
])

/** The same request without what is a key, whether or not anything else is hidden. */
export function withoutKeys(value: unknown, within = '', isInside = false): unknown {
  if (Array.isArray(value)) return value.map(item => withoutKeys(item, within, isInside))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      // A tool may well have a field for a password: what stands there only describes it.
      .filter(([key]) => within === 'properties' || !isSecret(key))
      .map(([key, field]) => [key, !isInside && isWords(key) ? field : withoutKeys(field, key, true)]),
  )
}

/** Servers of tools are named in a request together with what opens them. */
const isSecret = (key: string): boolean => key.length <= 64 && secret.test(key.replaceAll(/[-_]/g, ''))

const secret =
  /(?:authorization(?:token)?|headers|apikey|(?:access|auth|bearer|refresh|session|oauth)token|secret|secret(?:access)?key|privatekey|password|passwd|credentials|connectionstring|cookie)$/i
