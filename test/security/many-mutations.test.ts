import type { AgentInputItem } from '@openai/agents'
import { expect, test } from 'vitest'
import { journalSession } from '../../src/integrations/openai-agents/index.ts'
import { type Operation, SessionItems } from '../../src/integrations/openai-agents/session-items.ts'
import { openJournal } from '../../src/journal/index.ts'
import { answer, call, says, user } from '../integrations/openai-agents/agents.ts'

/** Calls whose ids count how often they are read. */
function countedCalls(count: number): { items: AgentInputItem[]; reads: () => number } {
  let reads = 0
  const items = Array.from({ length: count }, (_, index) =>
    Object.defineProperty({ ...call(`call_${index}`) }, 'callId', {
      enumerable: true,
      get: () => {
        reads++
        return `call_${index}`
      },
    }),
  )
  return { items, reads: () => reads }
}

const replace = (callId: string, by = callId) => ({
  ...{ type: 'replace_function_call' as const, callId, replacement: call(by) as never },
})

test.each([
  ['in one operation', (count: number) => [all(count)]],
  ['one after the other', (count: number) => all(count).map(mutation => [mutation])],
])('[SE640] replacing every call of a session looks at each call a few times, %s', (_, operations) => {
  const count = 2_000
  const { items, reads } = countedCalls(count)
  const session = new SessionItems(items)
  for (const mutations of operations(count)) session.apply({ do: 'mutate', mutations })
  expect(session.list()).toEqual(items.map((_, index) => call(`call_${index}`)))
  expect(reads()).toBeLessThan(10 * count)
})

const all = (count: number) => Array.from({ length: count }, (_, index) => replace(`call_${index}`))

test('[SE640] operations on calls with the same ids give what the definition says', () => {
  let seed = 7
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const item = (): AgentInputItem =>
    [call(`call_${random(3)}`), answer(`call_${random(3)}`, 'a'), says('x'), user('y')][random(4)] as AgentInputItem
  const some = (): AgentInputItem[] => Array.from({ length: random(4) }, item)
  const operation = (): Operation => {
    const kind = random(8)
    if (kind < 3) return { do: 'append', items: some() }
    if (kind === 3) return { do: 'cut', drop: random(4), items: some() }
    if (kind === 4 && random(4) === 0) return { do: 'reset', items: some() }
    const mutations = Array.from({ length: random(3) }, () => replace(`call_${random(3)}`, `call_${random(3)}`))
    return { do: 'mutate', mutations }
  }
  for (let run = 0; run < 300; run++) {
    const session = new SessionItems()
    let expected: AgentInputItem[] = []
    for (let step = 0; step < 20; step++) {
      const next = operation()
      session.apply(next)
      expected = simply(expected, next)
      expect(session.list()).toEqual(expected)
    }
  }
})

/** The definition, as the SDK applies mutations to its own sessions. */
function simply(items: AgentInputItem[], operation: Operation): AgentInputItem[] {
  if (operation.do === 'append') return [...items, ...operation.items]
  if (operation.do === 'reset') return [...operation.items]
  if (operation.do === 'cut') return [...items.slice(0, Math.max(0, items.length - operation.drop)), ...operation.items]
  return operation.mutations.reduce((list, mutation) => {
    const isMeant = (item: AgentInputItem) => item.type === 'function_call' && item.callId === mutation.callId
    const first = list.findIndex(isMeant)
    return list.flatMap((item, index) => (index === first ? mutation.replacement : isMeant(item) ? [] : item))
  }, items)
}

test('[SE640] a session whose calls were all replaced is read by another process', async () => {
  await using journal = await openJournal('memory:')
  const session = journalSession(journal, 's')
  await session.addItems([call('call_0'), answer('call_0', 'a'), call('call_1'), answer('call_1', 'a')])
  for (const mutation of all(2)) await session.applyHistoryMutations({ mutations: [mutation] })
  const later = await journalSession(journal, 's').getStoredItems()
  expect(later).toEqual([call('call_0'), answer('call_0', 'a'), call('call_1'), answer('call_1', 'a')])
})
