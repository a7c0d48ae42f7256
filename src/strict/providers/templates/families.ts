import type { Validator } from '../../judge/validator.ts'
import { gemmaTemplate } from './gemma.ts'
import { gptOssTemplate } from './gpt-oss.ts'
import { llamaTemplate } from './llama.ts'
import { newMistralTemplate, oldMistralTemplate } from './mistral.ts'
import { qwenTemplate } from './qwen.ts'

/** Models that come with the same chat template. */
export interface Family {
  id: string
  /** What their names have in common. */
  models: RegExp
  template: Validator
}

/** The first that fits counts. A model that fits none has no template that is known, and nothing is refused. */
const families: Family[] = [
  { id: 'qwen', models: /qwen-?3\.[5-9]/i, template: qwenTemplate },
  // `gemma-4b` has four billion parameters; `gemma-4-31b` and `gemma4:e2b` are Gemma 4, which lets everything pass.
  { id: 'gemma', models: /gemma(?!-?[4-9](?!\d*b))/i, template: gemmaTemplate },
  { id: 'llama', models: /llama-?3\.[1-3]/i, template: llamaTemplate },
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

export const familyOf = (model = ''): Family | undefined => families.find(({ models }) => models.test(model))
