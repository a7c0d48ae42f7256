import { expect } from 'vitest'
import type { ProviderFact } from '../../../src/strict/facts/fact.ts'
import { notSimulated } from '../../../src/strict/facts/not-simulated.ts'
import { type ReplyScript, startStrict } from '../../../src/strict/index.ts'
import { type Json, post } from '../http.ts'

/** A request that a provider refuses for one fact, what it answers, and the same request repaired. */
export interface Refused {
  fact: string
  name?: string
  /** It is known from third-party code only. */
  pedantic?: true
  path: string
  refused: Json
  status?: number
  /** The whole answer. */
  body: unknown
  accepted: Json
}

export const titled = (cases: Refused[]) =>
  cases.map(example => [`${example.fact}${example.name ? `: ${example.name}` : ''}`, example] as const)

/** Refused with exactly these words, and accepted when repaired; a pedantic fact counts for nobody else. */
export async function expectRefusal({ fact, pedantic, path, refused, status = 400, body, accepted }: Refused) {
  const strictly = await ask(path, refused, pedantic)
  expect([strictly.status, strictly.json()]).toEqual([status, body])
  expect(strictly.verdict).toMatchObject({ fact })
  expect((await ask(path, accepted, pedantic)).verdict).toBe('accepted')
  if (pedantic) expect((await ask(path, refused)).verdict).toBe('accepted')
}

export async function ask(path: string, body: Json, pedantic = false, script: ReplyScript = ['Fine.']) {
  await using strict = await startStrict({ script, pedantic })
  const answer = await post(strict, path, body)
  return { ...answer, verdict: strict.requests[0].verdict }
}

/** Each fact that a provider is known to insist on is shown, or there is a reason why not. */
export function expectAll(facts: readonly ProviderFact[], shown: { fact: string; pedantic?: true }[]) {
  const wanted = facts.filter(({ id, evidence }) => evidence !== 'I' && !(id in notSimulated))
  const ids = (list: ProviderFact[]) => list.map(({ id }) => id).sort()
  const seen = (isPedantic: boolean) =>
    [...new Set(shown.filter(({ pedantic = false }) => pedantic === isPedantic).map(({ fact }) => fact))].sort()
  expect(seen(false)).toEqual(ids(wanted.filter(({ evidence }) => evidence !== 'T')))
  expect(seen(true)).toEqual(expect.arrayContaining(ids(wanted.filter(({ evidence }) => evidence === 'T'))))
}
