import { anthropicFailure } from '../failures/anthropic.ts'
import { bedrockFailure } from '../failures/bedrock.ts'
import { cohereFailure } from '../failures/cohere.ts'
import { geminiFailure } from '../failures/gemini.ts'
import { openaiFailure } from '../failures/openai.ts'
import type { Api, Provider } from '../provider.ts'

/** A provider that refuses nothing. Its failures are those of the API's owner, unless it says otherwise. */
export function lenient(
  id: string,
  api: Api | Api[],
  habits: Pick<Provider, 'callId' | 'chat'> = {},
  failures: Partial<typeof owners> = {},
): Provider {
  const main = Array.isArray(api) ? api[0] : api
  return {
    ...{ id, api, ...habits },
    refuse: () => undefined,
    failure(kind, request) {
      const spoken = request?.api ?? main
      return (failures[spoken] ?? owners[spoken])(kind, request)
    },
  }
}

const owners: Record<Api, Provider['failure']> = {
  'openai-chat': openaiFailure,
  'openai-responses': openaiFailure,
  anthropic: anthropicFailure,
  gemini: geminiFailure,
  bedrock: bedrockFailure,
  'cohere-v2': cohereFailure,
  'cohere-v1': cohereFailure,
}
