import type { Provider } from '../provider.ts'
import { anthropic } from './anthropic/provider.ts'
import { bedrock } from './bedrock/provider.ts'
import { gemini, vertex } from './gemini/provider.ts'
import { hosted } from './hosted/provider.ts'
import { local } from './local/provider.ts'
import { mistral } from './mistral/provider.ts'
import { azure, openai } from './openai/provider.ts'

export const providers: Provider[] = [
  ...[openai, azure, anthropic, gemini, vertex, bedrock, mistral],
  ...hosted,
  ...local,
]

export const findProvider = (id: string): Provider | undefined => providers.find(provider => provider.id === id)
