import { anthropic as validate } from '../judge/providers/anthropic.ts'
import { anthropicShape } from '../shapes/anthropic.ts'
import { strict } from '../strictness.ts'
import { lenient } from './lenient.ts'

export const anthropic = strict(lenient('anthropic', 'anthropic'), { anthropic: { validate, shape: anthropicShape } })
