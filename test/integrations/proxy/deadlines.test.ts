import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Deadlines } from '../../../src/integrations/proxy/deadlines.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('[SE146] deadlines are called in time, each once, unless they were deleted', () => {
  const deadlines = new Deadlines(5_000)
  const called: string[] = []
  const add = (name: string) => deadlines.add(() => called.push(name))
  add('first')
  const deleted = add('deleted')
  vi.advanceTimersByTime(2_000)
  add('second')
  deadlines.delete(deleted)
  vi.advanceTimersByTime(2_999)
  expect(called).toEqual([])
  vi.advanceTimersByTime(1)
  expect(called).toEqual(['first'])
  vi.advanceTimersByTime(1_999)
  expect(called).toEqual(['first'])
  vi.advanceTimersByTime(1)
  expect(called).toEqual(['first', 'second'])
  add('third')
  vi.advanceTimersByTime(5_000)
  expect(called).toEqual(['first', 'second', 'third'])
  expect(vi.getTimerCount()).toBe(0)
})
