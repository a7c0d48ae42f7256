import { expect, test } from 'vitest'
import { NoiseControl } from '../../bench/measure.ts'
import type { Measured } from '../../bench/parts.ts'
import { measureQuietly } from '../../bench/quietly.ts'
import { judge } from '../../bench/targets.ts'

const target = { what: 'heal: healthy', ratio: 0.2, bound: 'at most', limit: 0.1 } as const
const measured = (noise: number | undefined): Measured => ({
  ...{ title: '', bars: [], data: noise, targets: [target] },
  ...(noise === undefined ? {} : { noise }),
})

async function measure(...noises: (number | undefined)[]) {
  const said: string[] = []
  const waiting = [...noises]
  const outcome = await measureQuietly(
    'heal',
    async () => measured(waiting.shift()),
    line => said.push(line),
  )
  return { said, left: waiting.length, data: outcome?.data, verdict: outcome && judge(outcome.targets[0]) }
}

test('a part within its noise control, or without one, is measured once', async () => {
  expect(await measure(0.15, 0)).toEqual({ said: [], left: 1, data: 0.15, verdict: 'missed' })
  expect(await measure(undefined, 0)).toEqual({ said: [], left: 1, data: undefined, verdict: 'missed' })
})

test('a part that exceeds its noise control says so, is measured once more, and the quieter measurement counts', async () => {
  const said = ['heal exceeds its noise control (40%, at most 15%): measuring it once more']
  expect(await measure(0.4, 0.1)).toEqual({ said, left: 0, data: 0.1, verdict: 'missed' })
})

test('a part that exceeds its noise control twice is not judged', async () => {
  const outcome = await measure(0.4, 0.5)
  expect(outcome.said[1]).toBe('heal is too noisy to judge (40%)')
  expect(outcome).toMatchObject({ data: 0.4, verdict: 'too noisy' })
})

test('the noise is the difference between the best of the even turns and the best of the odd ones', () => {
  const control = new NoiseControl()
  expect(control.noise).toBe(0)
  for (const [turn, time] of [9, 10, 8, 12].entries()) control.add(turn, time)
  expect(control.noise).toBeCloseTo(0.25)
})
