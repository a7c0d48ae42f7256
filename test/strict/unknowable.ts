import type { Refusal } from '../../src/strict/provider.ts'

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
    fact: 'or-encrypted',
    words: /^The encrypted content .* could not be verified\./s,
    reason: 'only the server that encrypted it can tell whether it can be decrypted',
  },
]

export const isUnknowable = ({ fact, message }: Refusal): boolean =>
  unknowable.some(known => known.fact === fact && known.words.test(message))
