import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Steep } from '../laws/linear/find-steep.ts'
import { knownCosts } from '../laws/linear/known-costs.ts'
import { codecIds } from '../laws/try-laws.ts'

/** What is done, with which histories, and how many of them: one of so many. */
const counted = [
  ['known', 'all', 1],
  ['repair', 'rules', 12],
  ...codecIds.map(format => ['repair', format, 12] as const),
  ['check,request,trim,convert,healer', 'all', 140],
  ['healer', 'mixed', 15],
  ['repair,check,request,trim,convert,healer', 'large', 7],
  ['rejections', 'all', 27],
  ['threads', 'all', 1],
  ['turns', 'all', 1],
  ['tapes', 'all', 1],
  ['approvals', 'all', 1],
] as const

let lines: string[] = []

/** Work is counted rather than timed, in a process of its own: there the modules of the package have counters in them. */
beforeAll(async () => {
  const script = join(import.meta.dirname, '../laws/linear/print-steep.ts')
  const given = [script, ...counted.flat().map(String)]
  const { stdout } = await promisify(execFile)(process.execPath, given, { maxBuffer: 64_000_000 })
  lines = stdout.trim().split('\n')
})

function steepIn(work: string, subject: string): { families: number; steep: Steep[] } {
  return JSON.parse(lines[counted.findIndex(one => one[0] === work && one[1] === subject)])
}

describe('[SE30] nothing does more work than its history is long', () => {
  test('the counting tells linear work from quadratic work', () => {
    const { steep } = steepIn('known', 'all')
    const quadratic = Object.keys(knownCosts).filter(name => !knownCosts[name].isLinear)
    expect(new Set(steep.map(({ family }) => family))).toEqual(new Set(quadratic))
  })

  test('repair: examples of every rule, many times over', () => {
    const { families, steep } = steepIn('repair', 'rules')
    expect(families).toBeGreaterThan(33)
    expect(steep).toEqual([])
  })

  test.each(codecIds)('repair: pairs of parts, in turn and one after the other: %s', format => {
    const { families, steep } = steepIn('repair', format)
    expect(families).toBeGreaterThan(25)
    expect(steep).toEqual([])
  })

  test('check, requests, trim, convert and the growing healer: some of all these', () => {
    const { families, steep } = steepIn('check,request,trim,convert,healer', 'all')
    expect(families).toBeGreaterThan(40)
    expect(steep).toEqual([])
  })

  test('the growing healer: messages of two formats in turn', () => {
    const { families, steep } = steepIn('healer', 'mixed')
    expect(families).toBeGreaterThan(13)
    expect(steep).toEqual([])
  })

  test('[SE240] one message with a large value in a field that no format has, then many others', () => {
    const { families, steep } = steepIn('repair,check,request,trim,convert,healer', 'large')
    expect(families).toBeGreaterThan(60)
    expect(steep).toEqual([])
  })

  test('rejections: how they are read, and every repair after one', () => {
    const { families, steep } = steepIn('rejections', 'all')
    expect(families).toBeGreaterThan(80)
    expect(steep).toEqual([])
  })
})

test('[SE151] a turn runs and streams in linear time, whatever its answer consists of', () => {
  const { families, steep } = steepIn('turns', 'all')
  expect(families).toBeGreaterThan(12)
  expect(steep).toEqual([])
})

test('[SE127] a thread is read, rendered, summarized and shown as a chat in linear time, whatever its branches and its waiting input are', () => {
  const { families, steep } = steepIn('threads', 'all')
  expect(families).toBeGreaterThan(100)
  expect(steep).toEqual([])
})

test('[SE700] the first failure of a tape is found and drawn in linear time', () => {
  const { families, steep } = steepIn('tapes', 'all')
  expect(families).toBe(4)
  expect(steep).toEqual([])
})

test('[SE701] a session of Agent Framework with many questions, decisions or results is read in linear time', () => {
  const { families, steep } = steepIn('approvals', 'all')
  expect(families).toBe(4)
  expect(steep).toEqual([])
})
