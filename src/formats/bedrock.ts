import { bedrock as codec } from '../codecs/bedrock/index.ts'
import { bedrock as home } from '../core/dialects/bedrock.ts'
import { healingOf } from './healing-of.ts'

export type { FormatOptions } from './healing-of.ts'

/** Healing for the shape of Bedrock's Converse API, and no other. */
export const { heal, check, repair } = healingOf(codec, home)
