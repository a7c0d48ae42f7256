import type { Provider } from '../provider.ts'
import { anthropic } from './anthropic.ts'
import { bedrock } from './bedrock.ts'
import { gemini, vertex } from './gemini.ts'
import { hosted } from './hosted.ts'
import { local } from './local.ts'
import { mistral } from './mistral.ts'
import { azure, openai } from './openai.ts'

export const providers: Provider[] = [
  ...[openai, azure, anthropic, gemini, vertex, bedrock, mistral],
  ...hosted,
  ...local,
]

export const providerOf = (id: string): Provider | undefined => providers.find(provider => provider.id === id)
