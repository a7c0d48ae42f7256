import type { CodecId } from '../src/codecs/index.ts'
import type { Translation } from '../test/laws/plan.ts'
import { Random } from '../test/laws/random.ts'
import { agUi } from '../test/laws/wire/ag-ui.ts'
import { aiSdk } from '../test/laws/wire/ai-sdk.ts'
import { aiSdkUi } from '../test/laws/wire/ai-sdk-ui.ts'
import { bedrock } from '../test/laws/wire/bedrock.ts'
import { gemini } from '../test/laws/wire/gemini.ts'
import { geminiInteractions } from '../test/laws/wire/gemini-interactions.ts'
import { langchain } from '../test/laws/wire/langchain.ts'
import { ollama } from '../test/laws/wire/ollama.ts'
import { pydanticAi } from '../test/laws/wire/pydantic-ai.ts'
import type { Message } from './histories.ts'

/** The same history in the shape of a codec, by writing it so: nothing of it is healed on the way. */
export function inShapeOf(codec: CodecId, history: Message[], seed = 1): unknown[] {
  if (codec === 'openai-chat') return history
  if (codec === 'openai-responses') return asItems(history)
  if (codec === 'anthropic') return asBlocks(history)
  const translation = translations[codec]
  const native = translation.from === 'anthropic' ? asBlocks(history) : history
  return translation.translate(native, new Random(seed))
}

const translations: Record<Exclude<CodecId, 'openai-chat' | 'openai-responses' | 'anthropic'>, Translation> = {
  'ag-ui': agUi,
  'ai-sdk': aiSdk,
  'ai-sdk-ui': aiSdkUi,
  bedrock,
  gemini,
  langchain,
  ollama,
  'pydantic-ai': pydanticAi,
  'gemini-interactions': geminiInteractions,
}

function asItems(history: Message[]): unknown[] {
  return history.flatMap(({ role, content, tool_call_id, tool_calls = [] }): unknown[] => {
    if (role === 'tool') return [{ type: 'function_call_output', call_id: tool_call_id, output: content }]
    const type = role === 'assistant' ? 'output_text' : 'input_text'
    const words = content ? [{ type: 'message', role, content: [{ type, text: content }] }] : []
    const calls = tool_calls.map(({ id, function: called }) => ({ type: 'function_call', call_id: id, ...called }))
    return [...words, ...calls]
  })
}

/** The system's words have a place of their own in such a request. Results that stand together share a message. */
function asBlocks(history: Message[]): unknown[] {
  const messages: { role: string; content: unknown[] }[] = []
  let results: unknown[] | undefined
  for (const { role, content, tool_call_id, tool_calls = [] } of history) {
    if (role === 'system') continue
    if (role === 'tool') {
      if (!results) {
        results = []
        messages.push({ role: 'user', content: results })
      }
      results.push({ type: 'tool_result', tool_use_id: tool_call_id, content })
      continue
    }
    results = undefined
    const words = content ? [{ type: 'text', text: content }] : []
    const calls = tool_calls.map(({ id, function: called }) => ({
      type: 'tool_use',
      id,
      name: called.name,
      input: JSON.parse(called.arguments) as unknown,
    }))
    messages.push({ role, content: [...words, ...calls] })
  }
  return messages
}
