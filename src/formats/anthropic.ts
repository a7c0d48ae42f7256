import { anthropic as codec } from '../codecs/anthropic/index.ts'
import { anthropic as home } from '../core/dialects/anthropic.ts'
import { healingOf } from './healing-of.ts'

export type { FormatOptions } from './healing-of.ts'

/** Healing for the shape of Anthropic's Messages API, and no other. */
export const { heal, check, repair } = healingOf(codec, home)
