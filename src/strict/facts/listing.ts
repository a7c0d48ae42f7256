import type { ProviderFact } from './fact.ts'
import { facts } from './index.ts'
import { notSimulated } from './not-simulated.ts'

/** A fact, with the providers that enforce it and whether the simulator does. */
export interface ListedFact extends ProviderFact {
  providers: readonly string[]
  /** `pedantic` if it is known from third-party code only. */
  rejects: 'always' | 'pedantic' | 'never'
  /** Why it is never enforced. */
  reason?: string
}

/** Every fact, grouped by provider. */
export const listFacts = (): ListedFact[] =>
  facts.map(fact => ({ ...fact, ...enforced(fact), providers: ownersOf(fact) }))

function enforced({ id, evidence }: ProviderFact): Pick<ListedFact, 'rejects' | 'reason'> {
  const reason = notSimulated[id] ?? (evidence === 'I' ? 'it is inferred, and was never seen' : undefined)
  if (reason !== undefined) return { rejects: 'never', reason }
  return { rejects: evidence === 'T' ? 'pedantic' : 'always' }
}

const ownersOf = ({ id }: ProviderFact): readonly string[] => owners[id.slice(0, id.indexOf('-'))] ?? []

/** The providers of a fact, by the first letters of its id. */
const owners: Readonly<Record<string, readonly string[] | undefined>> = {
  oc: ['openai', 'azure'],
  or: ['openai', 'azure'],
  an: ['anthropic'],
  ge: ['gemini', 'vertex'],
  gi: ['gemini'],
  br: ['bedrock'],
  mi: ['mistral'],
  ds: ['deepseek'],
  mm: ['minimax'],
  km: ['moonshot'],
  qw: ['qwen'],
  gl: ['glm'],
  xa: ['xai'],
  gq: ['groq'],
  co: ['cohere'],
  px: ['perplexity'],
  fw: ['fireworks'],
  tg: ['together'],
  ort: ['openrouter'],
  tp: ['vllm', 'llama-cpp', 'ollama', 'lm-studio', 'mlx'],
  vl: ['vllm'],
  ol: ['ollama'],
}
