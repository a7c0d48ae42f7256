import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Steep } from '../laws/linear/find-steep.ts'
import { knownCosts } from '../laws/linear/known-costs.ts'
import { codecIds } from '../laws/try-laws.ts'

/** Work is counted rather than timed, in a process of its own: there the modules of the package have counters in them. */
async function steepIn(work: string, subject: string, share: number): Promise<{ families: number; steep: Steep[] }> {
  const script = join(import.meta.dirname, '../laws/linear/print-steep.ts')
  const given = [script, work, subject, String(share)]
  const { stdout } = await promisify(execFile)(process.execPath, given, { maxBuffer: 64_000_000 })
  return JSON.parse(stdout)
}

describe('[SE30] nothing does more work than its history is long', () => {
  test('the counting tells linear work from quadratic work', async () => {
    const { steep } = await steepIn('known', 'all', 1)
    const quadratic = Object.keys(knownCosts).filter(name => !knownCosts[name].isLinear)
    expect(new Set(steep.map(({ family }) => family))).toEqual(new Set(quadratic))
  })

  test('repair: examples of every rule, many times over', async () => {
    const { families, steep } = await steepIn('repair', 'rules', 12)
    expect(families).toBeGreaterThan(33)
    expect(steep).toEqual([])
  })

  test.each(codecIds)('repair: pairs of parts, in turn and one after the other: %s', async format => {
    const { families, steep } = await steepIn('repair', format, 12)
    expect(families).toBeGreaterThan(25)
    expect(steep).toEqual([])
  })

  test('check, requests, trim, convert and the growing healer: some of all these', async () => {
    const { families, steep } = await steepIn('check,request,trim,convert,healer', 'all', 140)
    expect(families).toBeGreaterThan(40)
    expect(steep).toEqual([])
  })

  test('the growing healer: messages of two formats in turn', async () => {
    const { families, steep } = await steepIn('healer', 'mixed', 15)
    expect(families).toBeGreaterThan(13)
    expect(steep).toEqual([])
  })

  test('rejections: how they are read, and every repair after one', async () => {
    const { families, steep } = await steepIn('rejections', 'all', 27)
    expect(families).toBeGreaterThan(80)
    expect(steep).toEqual([])
  })
})

test('[SE127] a thread is read, rendered, summarized and shown as a chat in linear time, whatever its branches and its waiting input are', async () => {
  const { families, steep } = await steepIn('threads', 'all', 1)
  expect(families).toBeGreaterThan(100)
  expect(steep).toEqual([])
})
