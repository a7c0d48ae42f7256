import { bedrock as validate } from '../judge/providers/bedrock.ts'
import { bedrockShape } from '../shapes/bedrock.ts'
import { strict } from '../strictness.ts'
import { lenient } from './lenient.ts'

export const bedrock = strict(lenient('bedrock', 'bedrock'), { bedrock: { validate, shape: bedrockShape } })
