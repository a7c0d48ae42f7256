import type { Validator } from '../../judge/validator.ts'
import { validateGemmaTemplate } from './gemma.ts'
import { gptOssTemplate } from './gpt-oss.ts'
import { validateLlamaTemplate } from './llama.ts'
import { newMistralTemplate, oldMistralTemplate } from './mistral.ts'
import { validateQwenTemplate } from './qwen.ts'

/** Models with the same chat template. */
export interface TemplateFamily {
  id: string
  /** A pattern for their names. */
  models: RegExp
  template: Validator
}

/** The first match counts. A model without a match has no known template, and nothing is rejected. */
const families: TemplateFamily[] = [
  { id: 'qwen', models: /qwen-?3\.[5-9]/i, template: validateQwenTemplate },
  // `gemma-4b` has four billion parameters; `gemma-4-31b` and `gemma4:e2b` are Gemma 4, which accepts everything.
  { id: 'gemma', models: /gemma(?!-?[4-9](?!\d*b))/i, template: validateGemmaTemplate },
  { id: 'llama', models: /llama-?3\.[1-3]/i, template: validateLlamaTemplate },
  {
    id: 'mistral-old',
    models: /mixtral|mistral-?(7b|nemo)|(^|\/)mistral(:|$)|mi(ni)?stral.*-24(0\d|10)\b/i,
    template: oldMistralTemplate,
  },
  {
    id: 'mistral-new',
    models: /devstral|magistral|ministral|mistral-?(small|medium|large)/i,
    template: newMistralTemplate,
  },
  { id: 'gpt-oss', models: /gpt-?oss/i, template: gptOssTemplate },
]

export const familyOf = (model = ''): TemplateFamily | undefined => families.find(({ models }) => models.test(model))
