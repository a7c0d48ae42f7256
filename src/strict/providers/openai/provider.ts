import { strict } from '../../strictness.ts'
import { lenient } from '../lenient/provider.ts'
import { validateOpenaiResponses } from '../openai-responses/judge.ts'
import { validateAzure, validateOpenai } from './judge.ts'
import { openaiRejection } from './rejection.ts'

const responses = { validate: validateOpenaiResponses, rejection: openaiRejection }

export const openai = strict(lenient('openai', ['openai-chat', 'openai-responses']), {
  'openai-chat': { validate: validateOpenai, rejection: openaiRejection },
  'openai-responses': responses,
})

export const azure = strict(lenient('azure', ['openai-chat', 'openai-responses']), {
  'openai-chat': { validate: validateAzure, rejection: openaiRejection },
  'openai-responses': responses,
})
