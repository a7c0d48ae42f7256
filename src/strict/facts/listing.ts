import type { Fact } from './fact.ts'
import { facts } from './index.ts'
import { notSimulated } from './not-simulated.ts'

/** A fact, with who insists on it and whether the simulator does. */
export interface ListedFact extends Fact {
  providers: readonly string[]
  /** Only with `pedantic` if it is known from third-party code alone. */
  refuses: 'always' | 'pedantic' | 'never'
  /** Why it never refuses. */
  reason?: string
}

/** Every fact, those of one provider together. */
export const listFacts = (): ListedFact[] =>
  facts.map(fact => ({ ...fact, ...enforced(fact), providers: ownersOf(fact) }))

function enforced({ id, evidence }: Fact): Pick<ListedFact, 'refuses' | 'reason'> {
  const reason = notSimulated[id] ?? (evidence === 'I' ? 'it is inferred, and nobody has seen it' : undefined)
  if (reason !== undefined) return { refuses: 'never', reason }
  return { refuses: evidence === 'T' ? 'pedantic' : 'always' }
}

const ownersOf = ({ id }: Fact): readonly string[] => owners[id.slice(0, id.indexOf('-'))] ?? []

/** Whose fact it is, by the first letters of its id. */
const owners: Readonly<Record<string, readonly string[] | undefined>> = {
  oc: ['openai', 'azure'],
  or: ['openai', 'azure'],
  an: ['anthropic'],
  ge: ['gemini', 'vertex'],
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
}
