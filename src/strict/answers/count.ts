import { type JsonObject, jsonText } from '../json.ts'
import type { Api } from '../provider.ts'

/** What a text costs, roughly. */
export const tokens = (text: string): number => Math.ceil(text.length / 4)

/** How many tokens a request would cost, as the API says it. */
export function countBody(api: Api, body: unknown): JsonObject {
  const count = tokens(jsonText(body))
  return api === 'gemini' ? { totalTokens: count } : { input_tokens: count }
}
