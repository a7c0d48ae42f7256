import type { DialectId } from '../../core/dialects/index.ts'

/** A pattern for model names, and the dialect of these models. */
export interface ModelFamily {
  readonly models: RegExp
  readonly dialect: DialectId
}

/** Chat templates of open models. If such a model is served by its maker, the maker's own rules apply. */
export const templates: readonly ModelFamily[] = [
  { models: /qwen-?3\.[5-9].*\d+b/i, dialect: 'qwen-template' },
  // `gemma-4b` has four billion parameters; Gemma 4 itself accepts everything.
  { models: /gemma(?!-?[4-9](?!\d*b))/i, dialect: 'gemma-template' },
  { models: /llama-?3\.[1-3]/i, dialect: 'llama-template' },
  {
    models: /(mixtral|mistral-?(7b|nemo|small)|devstral|magistral|ministral)(?!.*latest)/i,
    dialect: 'mistral-template',
  },
]

/** Models recognised by their name, or by their maker's name before it. */
export const makers: readonly ModelFamily[] = [
  { models: /claude|(^|\/)anthropic\//i, dialect: 'anthropic' },
  { models: /(^|\/)gemini-/i, dialect: 'gemini' },
  { models: /mistral|mixtral|codestral|devstral|magistral|ministral|pixtral/i, dialect: 'mistral' },
  { models: /deepseek/i, dialect: 'deepseek' },
  { models: /minimax/i, dialect: 'minimax' },
  { models: /kimi|moonshot/i, dialect: 'moonshot' },
  { models: /(^|\/)(qwen|qwq)/i, dialect: 'qwen' },
  { models: /(^|\/)glm-/i, dialect: 'glm' },
  { models: /(^|\/)grok-/i, dialect: 'xai' },
  { models: /(^|\/)command-|(^|\/)cohere\//i, dialect: 'cohere' },
]
