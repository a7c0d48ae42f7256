import type { ProviderFact } from '../../facts/fact.ts'

/** Limits of tools, strings, media and windows, in Chat Completions. */
export const limitFacts: readonly ProviderFact[] = [
  {
    id: 'oc-tools-count',
    rule: 'A request declares at most 128 tools.',
    words:
      "`Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length {n} instead.`",
    evidence: 'S',
    sources: [
      'https://github.com/vishalmysore/Tools4AI/issues/16',
      'https://github.com/anomalyco/opencode/issues/4909',
    ],
  },
  {
    id: 'oc-calls-count',
    rule: 'A message has at most 128 calls.',
    words:
      "`Invalid 'messages[{N}].tool_calls': array too long. Expected an array with maximum length 128, but got an array with length {n} instead.`",
    evidence: 'S',
    sources: [
      'https://github.com/openai/openai-dotnet/issues/317',
      'https://github.com/gptscript-ai/gptscript/issues/547',
    ],
  },
  {
    id: 'oc-tool-name',
    rule: 'The name of a tool, declared or called, has letters, digits, _ and - only.',
    words:
      "`Invalid '{tools[K].function.name or messages[N].tool_calls[K].function.name}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`",
    evidence: 'S',
    sources: ['https://github.com/mcp-use/mcp-use/issues/90', 'https://github.com/danishjsheikh/swagger-mcp/issues/13'],
  },
  {
    id: 'oc-string',
    rule: 'A string of content has at most 10,485,760 characters.',
    words:
      "`Invalid '{path}': string too long. Expected a string with maximum length 10485760, but got a string with length {n} instead.`",
    evidence: 'S',
    sources: ['https://github.com/Shopify/roast/issues/52'],
  },
  {
    id: 'oc-part-type',
    rule: 'Parts of content are those of this API: blocks of other providers are not.',
    words:
      "`Invalid value: '{type}'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'.`",
    evidence: 'T',
    sources: [],
  },
  {
    id: 'oc-image-format',
    rule: 'Images are PNG, JPEG, GIF or WebP.',
    words:
      "`You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].`",
    evidence: 'S',
    sources: [
      'https://github.com/STranslate/STranslate/issues/277',
      'https://github.com/marketing-factory/ai-filemetadata/issues/18',
    ],
  },
  {
    id: 'oc-context',
    rule: 'The prompt fits into the window: 128,000 tokens for GPT-4o and the first o models. Tokens are estimated: four characters each, media not counted.',
    words:
      "`This model's maximum context length is {max} tokens. However, your messages resulted in {n} tokens. Please reduce the length of the messages.`",
    evidence: 'S',
    sources: ['https://github.com/crewAIInc/crewAI-examples/issues/121', 'https://github.com/cline/cline/issues/13194'],
  },
  {
    id: 'oc-context-limit',
    rule: 'GPT-5: 272,000 tokens of the window are for the input, 922,000 from 5.4 on. Estimated as oc-context.',
    words:
      '`Input tokens exceed the configured limit of {max} tokens. Your messages resulted in {n} tokens. Please reduce the length of the messages.`',
    evidence: 'C',
    sources: ['https://github.com/anomalyco/models.dev/pull/851'],
  },
]
