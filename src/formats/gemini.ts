import { gemini as codec } from '../codecs/gemini/index.ts'
import { gemini as home } from '../core/dialects/gemini.ts'
import { healingOf } from './healing-of.ts'

export type { FormatOptions } from './healing-of.ts'

/** Healing for the shape of the Gemini API, and no other. */
export const { heal, check, repair } = healingOf(codec, home)
