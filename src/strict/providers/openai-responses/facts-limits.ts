import type { ProviderFact } from '../../facts/fact.ts'

/** Limits of tools, strings, media and windows, in Responses. */
export const limitFacts: readonly ProviderFact[] = [
  {
    id: 'or-tools-count',
    rule: 'A request declares at most 128 tools.',
    words:
      "`Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length {n} instead.`",
    evidence: 'S',
    sources: ['https://github.com/anomalyco/opencode/issues/4909'],
  },
  {
    id: 'or-tool-name',
    rule: 'The name of a tool, declared or called, has letters, digits, _ and - only.',
    words:
      "`Invalid '{tools[K].name or input[N].name}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`",
    evidence: 'S',
    sources: ['https://github.com/mcp-use/mcp-use/issues/90'],
  },
  {
    id: 'or-string',
    rule: 'A string of content or output has at most 10,485,760 characters.',
    words:
      "`Invalid '{path}': string too long. Expected a string with maximum length 10485760, but got a string with length {n} instead.`",
    evidence: 'S',
    sources: ['https://github.com/Shopify/roast/issues/52'],
  },
  {
    id: 'or-part-type',
    rule: 'Text of the assistant is output_text, or a refusal.',
    words: "`Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.`",
    evidence: 'S',
    sources: ['https://github.com/openai/openai-go/issues/485', 'https://github.com/google/adk-go/issues/1197'],
  },
  {
    id: 'or-image-format',
    rule: 'Images are PNG, JPEG, GIF or WebP.',
    words:
      "`You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].`",
    evidence: 'S',
    sources: ['https://github.com/STranslate/STranslate/issues/277'],
  },
  {
    id: 'or-context',
    rule: 'The input fits into the window of the model, see oc-context and oc-context-limit for the windows and the estimate.',
    words: '`Your input exceeds the context window of this model. Please adjust your input and try again.`',
    evidence: 'S',
    sources: ['https://github.com/anomalyco/opencode/issues/6071', 'https://github.com/dyad-sh/dyad/issues/1672'],
  },
]
