import { strict } from '../../strictness.ts'
import { lenient } from '../lenient/provider.ts'
import { anthropic as validate } from './judge.ts'
import { anthropicShape } from './shape.ts'

export const anthropic = strict(lenient('anthropic', 'anthropic'), { anthropic: { validate, shape: anthropicShape } })
