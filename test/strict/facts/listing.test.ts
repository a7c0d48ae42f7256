import { expect, test } from 'vitest'
import { facts } from '../../../src/strict/facts/index.ts'
import { notSimulated } from '../../../src/strict/facts/not-simulated.ts'
import { listFacts } from '../../../src/strict/index.ts'

const listed = new Map(listFacts().map(fact => [fact.id, fact]))

test.each([
  ['or-dup-output', 'pedantic'],
  ['or-dup-item', 'always'],
  ['co-v1-empty', 'always'],
  ['co-v1-user-after-tool', 'always'],
  ['gq-pairing', 'never'],
] as const)('%s is enforced: %s', (id, rejects) => {
  expect(listed.get(id)).toMatchObject({ rejects })
  expect(listed.get(id)?.reason === undefined).toBe(rejects !== 'never')
})

test('what is not simulated is a fact, and its reason does not say that a server rejects it', () => {
  const ids = facts.map(({ id }) => id)
  for (const [id, reason] of Object.entries(notSimulated)) {
    expect(ids).toContain(id)
    expect(reason, id).not.toMatch(/pedantic|rejects\b/)
  }
})
