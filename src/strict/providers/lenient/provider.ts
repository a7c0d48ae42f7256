import type { Api, Provider } from '../../provider.ts'
import { anthropicFailure } from '../anthropic/failures.ts'
import { bedrockFailure } from '../bedrock/failures.ts'
import { cohereFailure } from '../cohere/failures.ts'
import { geminiFailure } from '../gemini/failures.ts'
import { interactionsFailure } from '../gemini-interactions/failures.ts'
import { ollamaFailure } from '../ollama/failures.ts'
import { openaiFailure } from '../openai/failures.ts'

/** A provider that rejects nothing. Its failures are those of the API's owner, unless overridden. */
export function lenient(
  id: string,
  api: Api | [Api, ...Api[]],
  habits: Pick<Provider, 'callId' | 'chat'> = {},
  failures: Partial<typeof owners> = {},
): Provider {
  const main = Array.isArray(api) ? api[0] : api
  return {
    ...{ id, api, ...habits },
    reject: () => undefined,
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
  ollama: ollamaFailure,
  'gemini-interactions': interactionsFailure,
}
