import { mistralFailure } from '../failures/mistral.ts'
import { padded } from '../ids.ts'
import { mistral as validate } from '../judge/providers/mistral.ts'
import { mistralShape } from '../shapes/mistral.ts'
import { strict } from '../strictness.ts'
import { lenient } from './lenient.ts'

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
  { 'openai-chat': { validate, shape: mistralShape } },
)
