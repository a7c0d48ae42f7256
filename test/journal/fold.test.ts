import { expect, test } from 'vitest'
import type { EntryData } from '../../src/journal/entry.ts'
import { evolve, initialState } from '../../src/journal/fold.ts'
import { Renderer, renderTargetFor } from '../../src/journal/render/render.ts'
import { submit } from './sample-entries.ts'

test('[W54] any number of inputs can wait, and can be added to the history at once', () => {
  const state = initialState('uid')
  const many = 200_000
  const take = (entry: EntryData) => evolve(state, { ...entry, seq: state.head + 1, at: 0, epoch: 1 })
  for (let index = 0; index < many; index++) take(submit(`${index}`))
  const inputs = state.waiting.map(({ seq }) => seq)
  take({ kind: 'input-admit', inputs: inputs.slice(0, -1) })
  expect(state.waiting).toHaveLength(1)
  take({ kind: 'input-admit', inputs: inputs.slice(-1) })
  expect(state.waiting).toEqual([])
  expect(new Renderer(renderTargetFor('openai'), state).render()).toHaveLength(many)
})
