import type { ProviderFact } from '../../facts/fact.ts'

export const facts: readonly ProviderFact[] = [
  {
    id: 'ol-arguments',
    rule: 'the arguments of a call are an object (or missing), never JSON text.',
    words:
      '`json: cannot unmarshal string into Go struct field ChatRequest.messages.tool_calls.function.arguments of type api.ToolCallFunctionArguments`',
    evidence: 'S',
    sources: [
      'https://github.com/aliasrobotics/cai/issues/76',
      'https://github.com/ollama/ollama/issues/12794',
      'https://github.com/neuron-core/neuron-ai/issues/219',
    ],
  },
  {
    id: 'ol-content',
    rule: 'the content of a message is a string (or missing), never a list of blocks; of a result too.',
    words: '`json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string`',
    evidence: 'S',
    sources: [
      'https://github.com/BerriAI/litellm/issues/11273',
      'https://github.com/lennartpollvogt/ollama-instructor/issues/11',
    ],
  },
  {
    id: 'ol-base64',
    rule: 'an image is base64, without the beginning of a data URL, and never an address.',
    words: '`illegal base64 data at input byte {n}`',
    evidence: 'S',
    sources: [
      'https://github.com/BerriAI/litellm/issues/18338',
      'https://github.com/BerriAI/litellm/issues/30313',
      'https://github.com/ollama/ollama-js/issues/68',
    ],
  },
  {
    id: 'ol-field',
    rule: 'messages are a list of objects, and the other fields of a message have the types of the Go structs: ids, names and thinking are strings, calls and images lists, the index of a call an integer.',
    words: '`json: cannot unmarshal {kind} into Go struct field ChatRequest.messages.{field} of type {type}`',
    evidence: 'C',
    sources: [
      'https://github.com/ollama/ollama/blob/main/api/types.go',
      'https://github.com/David-Kunz/gen.nvim/issues/72',
    ],
  },
  {
    id: 'ol-request',
    rule: 'the fields of a request have the types of the Go structs: model is a string, stream a boolean, options an object, tools a list with schemas whose descriptions are strings, think a boolean or a level, keep_alive a number or a duration.',
    words: '`json: cannot unmarshal {kind} into Go struct field ChatRequest.{field} of type {type}`',
    evidence: 'C',
    sources: ['https://github.com/ollama/ollama/blob/main/api/types.go'],
  },
  {
    id: 'ol-collate',
    rule: 'adjacent messages of one role other than tool are joined by their content alone, so that the calls of the later one are lost; a role that the template does not know is left out.',
    evidence: 'C',
    sources: ['https://github.com/ollama/ollama/blob/main/template/template.go'],
  },
]
