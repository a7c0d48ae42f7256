import { strict } from '../../strictness.ts'
import { lenient } from '../lenient/provider.ts'
import { validateAnthropic } from './judge.ts'
import { anthropicRejection } from './rejection.ts'

export const anthropic = strict(lenient('anthropic', 'anthropic'), {
  anthropic: { validate: validateAnthropic, rejection: anthropicRejection },
})
