import type { ProviderFact } from '../../facts/fact.ts'

/** Limits of tools, media and windows. */
export const limitFacts: readonly ProviderFact[] = [
  {
    id: 'ge-tool-name',
    rule: 'The name of a function begins with a letter or _, has letters, digits, _, . and -, and at most 64 of them.',
    words:
      '`* GenerateContentRequest.tools[{T}].function_declarations[{K}].name: Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 64.\\n` (one line each)',
    evidence: 'S',
    sources: ['https://github.com/google-gemini/gemini-cli/issues/6704'],
  },
  {
    id: 'ge-base64',
    rule: 'Inline data is base64, without the beginning of a data: URI.',
    words:
      '`Invalid value at \'contents[{N}].parts[{K}].inline_data.data\' (TYPE_BYTES), Base64 decoding failed for "{data}"`',
    evidence: 'S',
    sources: ['https://github.com/musistudio/claude-code-router/issues/845'],
  },
  {
    id: 'ge-context',
    rule: 'The input has at most 1,048,576 tokens (Gemini 2 and later). Tokens are estimated: four characters each, media not counted.',
    words: '`The input token count ({n}) exceeds the maximum number of tokens allowed ({max}).`',
    evidence: 'S',
    sources: [
      'https://github.com/google-gemini/gemini-cli/issues/6678',
      'https://github.com/google-gemini/gemini-cli/issues/12098',
    ],
  },
]
