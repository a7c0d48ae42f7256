import { strict } from '../../strictness.ts'
import { lenient } from '../lenient/provider.ts'
import { validateOpenaiResponses } from '../openai-responses/judge.ts'
import { validateAzure, validateOpenai } from './judge.ts'
import { openaiShape } from './shape.ts'

const responses = { validate: validateOpenaiResponses, shape: openaiShape }

export const openai = strict(lenient('openai', ['openai-chat', 'openai-responses']), {
  'openai-chat': { validate: validateOpenai, shape: openaiShape },
  'openai-responses': responses,
})

export const azure = strict(lenient('azure', ['openai-chat', 'openai-responses']), {
  'openai-chat': { validate: validateAzure, shape: openaiShape },
  'openai-responses': responses,
})
