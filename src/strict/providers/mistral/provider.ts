import { padded } from '../../answers/ids.ts'
import { strict } from '../../strictness.ts'
import { lenient } from '../lenient/provider.ts'
import { mistralFailure } from './failures.ts'
import { validateMistral } from './judge.ts'
import { mistralRejection } from './rejection.ts'

export const mistral = strict(
  lenient(
    'mistral',
    'openai-chat',
    {
      callId: (_name, count) => padded(count, 9),
      chat: { thinking: 'chunks', compact: true },
    },
    { 'openai-chat': mistralFailure },
  ),
  { 'openai-chat': { validate: validateMistral, rejection: mistralRejection } },
)
