import { aiSdk as codec } from '../codecs/ai-sdk/index.ts'
import { lenient as home } from '../core/dialects/lenient.ts'
import { healingOf } from './healing-of.ts'

export type { FormatOptions } from './healing-of.ts'

/** Healing for the shape of model messages of the AI SDK, and no other. */
export const { heal, check, repair } = healingOf(codec, home)
