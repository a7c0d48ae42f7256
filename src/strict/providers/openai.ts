import { azure as azureChat, openai as openaiChat } from '../judge/providers/openai.ts'
import { openaiResponses } from '../judge/providers/openai-responses.ts'
import { openaiShape } from '../shapes/openai.ts'
import { strict } from '../strictness.ts'
import { lenient } from './lenient.ts'

const responses = { validate: openaiResponses, shape: openaiShape }

export const openai = strict(lenient('openai', ['openai-chat', 'openai-responses']), {
  'openai-chat': { validate: openaiChat, shape: openaiShape },
  'openai-responses': responses,
})

export const azure = strict(lenient('azure', ['openai-chat', 'openai-responses']), {
  'openai-chat': { validate: azureChat, shape: openaiShape },
  'openai-responses': responses,
})
