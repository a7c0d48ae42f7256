import { type JsonObject, textOrJson } from '../json.ts'
import type { Api } from '../provider.ts'

/** A rough token count. */
export const tokens = (text: string): number => Math.ceil(text.length / 4)

/** How many tokens a request would cost, in the format of the API. */
export function countBody(api: Api, body: unknown): JsonObject {
  const count = tokens(textOrJson(body))
  return api === 'gemini' ? { totalTokens: count } : { input_tokens: count }
}
