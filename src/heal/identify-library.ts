import { isRecord } from '../core/conversation.ts'

/** The library or program that a list of messages comes from, if it is a common one whose format is not supported. */
export function identifyLibrary(history: readonly unknown[]): string | undefined {
  const signs = history.slice(0, listMax).map(message => `\n${signsOf(message)}`)
  const all = signs.join('')
  return libraries.find(([, sign]) => sign.test(all))?.[0]
}

/**
 * Enough to identify a library, and a bound on the work for any list: the patterns below are quadratic in the length of
 * the signs of one message.
 */
const [listMax, fieldsMax, lengthMax, signsMax] = [10, 30, 40, 2_000]

/** The field names of a message and of the values in it, and its role and types. */
function signsOf(message: unknown): string {
  let signs = ''
  const add = (value: unknown, depth: number): void => {
    if (depth === 0 || signs.length >= signsMax) return
    if (Array.isArray(value)) {
      signs += '['
      for (const one of value.slice(0, listMax)) add(one, Array.isArray(one) ? depth - 1 : depth)
    } else if (isRecord(value)) {
      for (const key of Object.keys(value).slice(0, fieldsMax)) {
        if (signs.length >= signsMax) return
        const held = value[key]
        const label = labels.has(key) && typeof held === 'string' ? `=${held.slice(0, lengthMax)}` : ''
        signs += ` ${key.slice(0, lengthMax)}${label}${isRecord(held) ? '{' : ''}`
        add(held, depth - 1)
      }
    }
  }
  add(message, 3)
  return signs
}

const labels = new Set(['role', 'type', 'kind', 'object', 'from'])

/** Whether these are messages of a provider's API: its requests have the same messages, so they are not repaired either. */
export const isOfApi = (library: string): boolean => apis.has(library)

const apis = new Set(['OpenAI Assistants', 'OpenAI Realtime', 'old Gemini Interactions'])

/** Each library is identified by fields that no other has. */
const libraries: readonly (readonly [string, RegExp])[] = [
  ['LlamaIndex', / block_type| additional_kwargs{.* blocks\[/],
  ['Haystack', / _content\[| tool_call_result{/],
  ['Semantic Kernel', / items\[( metadata{)? content_type| FunctionName/],
  ['Agent Framework', / contents\[( type=[a-z]| \$type)/],
  ['AutoGen', / type=(\w+Message\n|ToolCall\w+Event)/],
  ['Google ADK', / invocation_id.* author/],
  ['opencode', / type=tool callID/],
  ['pi', / role=toolResult| type=toolCall/],
  ['Goose', / type=tool(Request|Response)/],
  ['kimi-cli', /\n role=_/],
  ['Gemini CLI', / type=gemini/],
  ['Qwen Code', / parentUuid.* message{ role=\w+ parts/],
  ['Copilot CLI', / type=(user|assistant)\.message/],
  ['OpenAI Assistants', / object=thread\.message/],
  ['OpenAI Realtime', / object=realtime\.item/],
  ['old Gemini Interactions', / type=(user_input|model_output|function_result)/],
  ['OpenTelemetry', /\n role=\w+ parts\[ type=(text content|tool_call (id|name))/],
  ['MCP', / toolUseId|\n role=\w+ content{ type=/],
]
