import { expect, test } from 'vitest'
import { tapeRows } from '../../../../src/apps/viewer/page/tape/tape-rows.ts'
import { timeScale } from '../../../../src/apps/viewer/page/tape/time-scale.ts'
import { inspect } from '../../../../src/observe/tape/inspect.ts'
import { readTape } from '../../../../src/observe/tape/read-tape.ts'
import { interrupted, recording } from '../../../observe/tape/recording.ts'

test('[VB3] requests, calls, input and interrupts are in the order of their times, and the first failure is marked', () => {
  const { tape, text } = recording()
  interrupted(tape)
  const { entries } = readTape(text())
  const rows = tapeRows(entries, inspect(entries))
  expect(rows.map(({ title, sign, isFirstFailure }) => `${title} ${sign}${isFirstFailure ? ', here' : ''}`)).toEqual([
    'request 1 good',
    'bash good',
    'interrupt none',
    'input none',
    'request 2 bad, here',
    'request 3 bad',
  ])
  const [, call] = rows
  expect(call.words).toEqual(['toolu_01, started, done', 'sent without its result in request 2'])
})

test('[VB3] an unfinished entry lasts until the end of the tape', () => {
  const { tape, text } = recording()
  tape.callStart({ id: 'call_1', name: 'bash' })
  tape.input({ content: 'and?' })
  const { entries } = readTape(text())
  const [call, input] = tapeRows(entries, inspect(entries))
  expect(call).toMatchObject({ title: 'bash', isOpen: true, until: input.at })
})

test('[VB3] the outcome of a call is shown as it is, even if it is the name of a property of every object', () => {
  const { tape, text } = recording()
  for (const status of ['constructor', '__proto__', 'toString', 'odd']) {
    tape.callStart({ id: status, name: 'bash' })
    tape.callEnd({ id: status, name: 'bash', status: status as 'done' })
  }
  const { entries } = readTape(text())
  const rows = tapeRows(entries, inspect(entries))
  expect(rows.map(({ sign, words }) => `${sign}: ${words}`)).toEqual([
    'doubt: constructor, started, constructor',
    'doubt: __proto__, started, __proto__',
    'doubt: toString, started, toString',
    'doubt: odd, started, odd',
  ])
})

test('[VB3] a long pause is no wider than ten usual ones, and is marked', () => {
  const lunch = 3_600_000
  const times = [0, 10, 20, 30, 40, 40 + lunch, 50 + lunch]
  const { place, breaks } = timeScale(times)
  const places = times.map(place)
  expect(places).toEqual([...places].sort((one, other) => one - other))
  expect([places[0], places.at(-1)]).toEqual([0, 1])
  expect(place(10) - place(0)).toBeCloseTo(1 / 15)
  expect(breaks).toEqual([{ place: expect.closeTo(9 / 15), ms: lunch }])
})

test('[VB3] a single time has no line', () => {
  expect(timeScale([5, 5]).place(5)).toBe(0)
  expect(timeScale([]).breaks).toEqual([])
})
