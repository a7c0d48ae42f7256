import { openaiResponses as codec } from '../codecs/openai-responses/index.ts'
import { openaiResponses as home } from '../core/dialects/openai-responses.ts'
import { healingOf } from './healing-of.ts'

export type { FormatOptions } from './healing-of.ts'

/** Healing for the shape of OpenAI's Responses API, and no other. */
export const { heal, check, repair } = healingOf(codec, home)
