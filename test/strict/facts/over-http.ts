import { expect, test } from 'vitest'
import type { ProviderFact } from '../../../src/strict/facts/fact.ts'
import { notSimulated } from '../../../src/strict/facts/not-simulated.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { type Json, post } from '../http.ts'

/** A request that breaks one fact, the words that it is refused with, and the same request repaired. */
export interface Case {
  fact: string
  name?: string
  /** Only a pedantic server refuses. */
  pedantic?: true
  /** Only a server that verifies all signatures refuses. */
  verify?: true
  model?: string
  /** What else the request says. */
  fields?: Json
  refused: unknown[]
  text: string
  accepted: unknown[]
  acceptedFields?: Json
  /** 400 unless it is said. */
  status?: number
}

/** Where a provider is asked, how, and how it refuses. */
export interface Door {
  provider: string
  model: string
  request(history: unknown[], fields: Json, model: string): { path: string; stream: string; body: Json }
  refusal(text: string): unknown
  headers?: Record<string, string>
}

/** Refused in exactly these words, streaming and not; and repaired it is accepted. */
export function testCases(door: Door, cases: readonly Case[]): void {
  for (const example of cases)
    test(`${example.fact}${example.name === undefined ? '' : `: ${example.name}`}`, async () => {
      const {
        fact,
        pedantic = false,
        verify = false,
        model,
        fields = {},
        acceptedFields = fields,
        status = 400,
      } = example
      const refused = door.request(example.refused, fields, model ?? door.model)
      const accepted = door.request(example.accepted, acceptedFields, model ?? door.model)
      await using strict = await startStrict({ provider: door.provider, pedantic, verify })
      for (const [path, stream] of [
        [refused.path, false],
        [refused.stream, true],
      ] as const) {
        const answer = await post(strict, path, { ...refused.body, ...(stream && { stream }) })
        expect(answer.json()).toEqual(door.refusal(example.text))
        expect(answer.status).toBe(status)
        for (const [name, value] of Object.entries(door.headers ?? {})) expect(answer.headers.get(name)).toBe(value)
      }
      expect(strict.requests.map(({ verdict }) => verdict)).toMatchObject([{ fact }, { fact }])
      expect(await verdictOf(door, accepted, pedantic)).toBe('accepted')
      if (pedantic || verify) expect(await verdictOf(door, refused, false)).toBe('accepted')
    })
}

/** Histories that nobody refuses, however pedantic. */
export function testAccepted(
  door: Door,
  cases: Record<string, Pick<Case, 'model' | 'fields'> & { history: unknown[] }>,
) {
  for (const [name, { history, model = door.model, fields = {} }] of Object.entries(cases))
    test(`accepted: ${name}`, async () => {
      expect(await verdictOf(door, door.request(history, fields, model), true)).toBe('accepted')
    })
}

async function verdictOf(door: Door, { path, body }: ReturnType<Door['request']>, pedantic: boolean): Promise<unknown> {
  await using strict = await startStrict({ provider: door.provider, pedantic })
  await post(strict, path, body)
  return strict.requests[0].verdict
}

/** Every fact that is known well enough has a case, or a reason why not. */
export function testComplete(facts: readonly ProviderFact[], shown: readonly string[]): void {
  test('every fact is refused somewhere, or stands in the list with a reason', () => {
    const known = facts.filter(({ evidence }) => evidence !== 'I').map(({ id }) => id)
    expect(known.filter(id => !shown.includes(id) && !(id in notSimulated))).toEqual([])
    expect(shown.filter(id => id in notSimulated)).toEqual([])
    expect(shown.filter(id => !facts.some(fact => fact.id === id))).toEqual([])
  })
}
