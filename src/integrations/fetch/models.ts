import type { DialectId } from '../../core/dialects/index.ts'

/** What the names of models have in common, and who reads for them. */
export interface Family {
  readonly models: RegExp
  readonly reader: DialectId
}

/** Chat templates that come with open models. Where one of them is served by its maker, the maker's own rules count. */
export const templates: readonly Family[] = [
  { models: /qwen-?3\.[5-9].*\d+b/i, reader: 'qwen-template' },
  // `gemma-4b` has four billion parameters; Gemma 4 itself lets everything pass.
  { models: /gemma(?!-?[4-9](?!\d*b))/i, reader: 'gemma-template' },
  { models: /llama-?3\.[1-3]/i, reader: 'llama-template' },
  {
    models: /(mixtral|mistral-?(7b|nemo|small)|devstral|magistral|ministral)(?!.*latest)/i,
    reader: 'mistral-template',
  },
]

/** Models that are known by their own name or by that of their maker in front of it. */
export const makers: readonly Family[] = [
  { models: /claude|(^|\/)anthropic\//i, reader: 'anthropic' },
  { models: /(^|\/)gemini-/i, reader: 'gemini' },
  { models: /mistral|mixtral|codestral|devstral|magistral|ministral|pixtral/i, reader: 'mistral' },
  { models: /deepseek/i, reader: 'deepseek' },
  { models: /minimax/i, reader: 'minimax' },
  { models: /kimi|moonshot/i, reader: 'moonshot' },
  { models: /(^|\/)(qwen|qwq)/i, reader: 'qwen' },
  { models: /(^|\/)glm-/i, reader: 'glm' },
  { models: /(^|\/)grok-/i, reader: 'xai' },
  { models: /(^|\/)command-|(^|\/)cohere\//i, reader: 'cohere' },
]
