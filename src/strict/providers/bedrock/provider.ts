import { strict } from '../../strictness.ts'
import { lenient } from '../lenient/provider.ts'
import { validateBedrock } from './judge.ts'
import { bedrockRejection } from './rejection.ts'

export const bedrock = strict(lenient('bedrock', 'bedrock'), {
  bedrock: { validate: validateBedrock, rejection: bedrockRejection },
})
