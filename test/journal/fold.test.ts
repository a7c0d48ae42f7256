import { expect, test } from 'vitest'
import type { Happening } from '../../src/journal/entry.ts'
import { evolve, initialState } from '../../src/journal/fold.ts'
import { Renderer, readerFor } from '../../src/journal/render/render.ts'
import { submit } from './happenings.ts'

test('[W54] any number of inputs may wait, and be said at once', () => {
  const state = initialState('uid')
  const many = 200_000
  const take = (happening: Happening) => evolve(state, { ...happening, seq: state.head + 1, at: 0, epoch: 1 })
  for (let index = 0; index < many; index++) take(submit(`${index}`))
  const inputs = state.waiting.map(({ seq }) => seq)
  take({ kind: 'input-admit', inputs: inputs.slice(0, -1) })
  expect(state.waiting).toHaveLength(1)
  take({ kind: 'input-admit', inputs: inputs.slice(-1) })
  expect(state.waiting).toEqual([])
  expect(new Renderer(readerFor('openai'), state).render()).toHaveLength(many)
})
