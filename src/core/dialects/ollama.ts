import { type Dialect, lenientFacts } from '../dialect.ts'

const unmarshal = 'json: cannot unmarshal'

export const ollama: Dialect = {
  id: 'ollama',
  title: "Ollama's own chat API",
  codec: 'ollama',
  facts: {
    ...lenientFacts,
    names: { lengthMax: Number.MAX_SAFE_INTEGER },
    malformedInput: 'refuse',
    malformedResult: 'refuse',
    // Its templates render no such role, and of adjacent assistant messages only the calls of the first one.
    developer: 'refuse',
    consecutiveAssistants: 'refuse-calls',
  },
  refusals: {
    'malformed-arguments': `${unmarshal} string into Go struct field ChatRequest.messages.tool_calls.function.arguments of type api.ToolCallFunctionArguments`,
    'malformed-content': `${unmarshal} array into Go struct field ChatRequest.messages.content of type string`,
    'malformed-result': `${unmarshal} array into Go struct field ChatRequest.messages.content of type string`,
  },
}
