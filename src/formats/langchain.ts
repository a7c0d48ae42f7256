import { langchain as codec } from '../codecs/langchain/index.ts'
import { lenient as home } from '../core/dialects/lenient.ts'
import { healingOf } from './healing-of.ts'

export type { FormatOptions } from './healing-of.ts'

/** Healing for the shape of LangChain messages, and no other. */
export const { heal, check, repair } = healingOf(codec, home)
