import { strict } from '../../strictness.ts'
import { lenient } from '../lenient/provider.ts'
import { openaiResponses } from '../openai-responses/judge.ts'
import { azure as azureChat, openai as openaiChat } from './judge.ts'
import { openaiShape } from './shape.ts'

const responses = { validate: openaiResponses, shape: openaiShape }

export const openai = strict(lenient('openai', ['openai-chat', 'openai-responses']), {
  'openai-chat': { validate: openaiChat, shape: openaiShape },
  'openai-responses': responses,
})

export const azure = strict(lenient('azure', ['openai-chat', 'openai-responses']), {
  'openai-chat': { validate: azureChat, shape: openaiShape },
  'openai-responses': responses,
})
