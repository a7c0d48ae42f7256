import type { ProviderRejection } from '../../src/strict/provider.ts'
import { limitFacts as anthropic } from '../../src/strict/providers/anthropic/facts-limits.ts'
import { limitFacts as bedrock } from '../../src/strict/providers/bedrock/facts-limits.ts'
import { limitFacts as gemini } from '../../src/strict/providers/gemini/facts-limits.ts'
import { limitFacts as openai } from '../../src/strict/providers/openai/facts-limits.ts'
import { limitFacts as responses } from '../../src/strict/providers/openai-responses/facts-limits.ts'

/** Limits of a whole request: a history alone has none, and what is above them is healed in `healRequest` and after a rejection. */
const limits = new Set([anthropic, bedrock, gemini, openai, responses].flat().map(({ id }) => id))

/** Refusals that no healer can foresee, by fact and words, each with its reason. */
const unknowable: readonly { fact: string; words: RegExp; reason: string }[] = [
  {
    fact: 'an-think-signature',
    words: /: Invalid `signature` in `thinking` block$/,
    reason: 'a signature is there, and only the server that gave it can tell whether it is one',
  },
  {
    fact: 'br-think',
    words: /: Invalid `signature` in `thinking` block$/,
    reason: 'the same, behind another host',
  },
  {
    fact: 'ge-sig-corrupted',
    words: /^Corrupted thought signature\.$/,
    reason: 'the same for the signatures of Gemini',
  },
  {
    fact: 'ge-sig-corrupted-vertex',
    words: /Thought signature is not valid/,
    reason: 'the same on Vertex AI',
  },
  {
    fact: 'or-encrypted',
    words: /^The encrypted content .* could not be verified\./s,
    reason: 'only the server that encrypted it can tell whether it can be decrypted',
  },
]

/** Whether a refusal is not about what a healer of histories can see in one. */
export const isUnknowable = ({ fact, message }: ProviderRejection): boolean =>
  limits.has(fact) || unknowable.some(known => known.fact === fact && known.words.test(message))
