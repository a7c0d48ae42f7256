import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BaseMessage } from '@langchain/core/messages'
import { afterAll, describe, expect, test } from 'vitest'
import { openCheckpointer } from '../../../src/integrations/langchain/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { programFile } from '../../programs.ts'
import { newPlaces, type PlaceKind } from './places.ts'
import type { Plan, Report } from './plan.ts'

const kinds: readonly PlaceKind[] = ['sqlite', 'postgres']
const newPlace = newPlaces(kinds)
const cache = mkdtempSync(join(tmpdir(), 'antiphon-langchain-cache-'))
afterAll(() => rmSync(cache, { recursive: true, force: true }))

const unknown = '[no result] No result of this call was recorded. Whether it ran is not known.'

describe('in processes that are killed', () => {
  test.each([
    { kind: 'sqlite', durability: 'sync' },
    { kind: 'postgres', durability: 'async' },
  ] as const)(
    '[LC20] killed inside a tool, then resumed: one effect, and the model hears that nobody knows ($kind, $durability)',
    async ({ kind, durability }) => {
      await using prepared = await prepare(kind)
      await prepared.kill({ says: ['Charge it.'], dies: 'in the tool', durability })
      const report = await prepared.run({ durability })
      const answer = ['ai', expect.stringContaining('Done')]
      expect(messagesOf(report)).toEqual([['human', 'Charge it.'], ['ai', ''], ['tool', unknown], answer])
      expect(prepared.effects()).toBe(1)
      expect(prepared.verdicts()).toEqual(['accepted', 'accepted'])
    },
  )

  test('[LC21] killed inside a tool, then a new message: no call is left without a result, in the state too', async () => {
    await using prepared = await prepare('sqlite')
    await prepared.kill({ says: ['Charge it.'], dies: 'in the tool' })
    expect(messagesOf(await prepared.run({ says: ['Are you there?'] }))).toEqual([
      ['human', 'Charge it.'],
      ['ai', ''],
      ['tool', unknown],
      ['human', 'Are you there?'],
      ['ai', expect.stringContaining('Done')],
    ])
    expect(prepared.verdicts()).toEqual(['accepted', 'accepted'])
    expect(prepared.effects()).toBe(1)
  })

  test('[LC22] two invokes at once on one thread, in two processes: both are answered, each tool runs once', async () => {
    await using prepared = await prepare('sqlite')
    const until = join(prepared.folder, 'go on')
    const reports = ['One.', 'Two.'].map(words => prepared.run({ says: [words], until }))
    await prepared.untilAsking(2)
    writeFileSync(until, '')
    expectBoth(await Promise.all(reports))
    expect(prepared.effects()).toBe(2)
  })

  test.each(kinds)(
    '[LC44] stopped inside a tool for longer than its lease, then continued: it stores nothing more (%s)',
    async kind => {
      await using prepared = await prepare(kind)
      const until = join(prepared.folder, 'go on')
      const first = prepared.start({ says: ['One.'], until, options: { leaseMs: 600 } })
      while (prepared.effects() < 1) await sleep(10)
      first.child.kill('SIGSTOP')
      writeFileSync(until, '')
      const second = messagesOf(await prepared.run({ says: ['Two.'], until }))
      first.child.kill('SIGCONT')
      expect((await first.ended).report).toMatchObject({ kind: 'failed', code: 'fenced' })
      expect(second.map(([type]) => type)).toEqual(['human', 'ai', 'tool', 'human', 'ai'])
      expect(second[2][1]).toBe(unknown)
      expect(await prepared.stored()).toEqual(second)
      expect(prepared.effects()).toBe(1)
      expect(new Set(prepared.verdicts())).toEqual(new Set(['accepted']))
    },
  )
})

function expectBoth(reports: readonly Report[]): void {
  for (const report of reports) expect(report).toMatchObject({ kind: 'done' })
  const longest = reports.map(messagesOf).reduce((one, other) => (one.length > other.length ? one : other))
  expect(longest.map(([type]) => type)).toEqual(['human', 'ai', 'tool', 'ai', 'human', 'ai', 'tool', 'ai'])
  expect(
    longest
      .filter(([type]) => type === 'human')
      .map(([, text]) => text)
      .sort(),
  ).toEqual(['One.', 'Two.'])
  expect(longest.filter(([type]) => type === 'tool').map(([, text]) => text)).toEqual(['charged', 'charged'])
}

const messagesOf = (report: Report) => (report.kind === 'done' ? report.messages : [])

type Task = Omit<Plan, 'where' | 'options' | 'url' | 'ledger'> & Partial<Pick<Plan, 'options'>>

async function prepare(kind: PlaceKind) {
  const place = newPlace(kind)
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-langchain-'))
  const ledger = join(folder, 'ledger')
  const strict = await startStrict()
  let asking = 0
  const start = (task: Task) => {
    const plan: Plan = { ...place, url: strict.url, ledger, ...task, options: { ...place.options, ...task.options } }
    const child = fork(script, [JSON.stringify(plan)], { env: { ...process.env, NODE_COMPILE_CACHE: cache } })
    let report: Report | undefined
    child.on('message', message => {
      report = message as Report
      if (report.kind === 'asking') asking++
    })
    const ended = once(child, 'exit').then(([, signal]) => {
      return { report: report?.kind === 'asking' ? undefined : report, signal }
    })
    return { child, ended }
  }
  return {
    folder,
    start,
    async untilAsking(count: number): Promise<void> {
      while (asking < count) await sleep(10)
    },
    async run(task: Task): Promise<Report> {
      const { report, signal } = await start(task).ended
      return report ?? { kind: 'failed', code: 'no-report', message: String(signal) }
    },
    async kill(task: Task): Promise<void> {
      const soon = { ...task, options: { ...task.options, leaseMs: 600 } }
      expect(await start(soon).ended).toEqual({ report: undefined, signal: 'SIGKILL' })
    },
    async stored(): Promise<(readonly [string, string])[]> {
      await using journal = await openCheckpointer(place.where, place.options)
      const tuple = await journal.getTuple({ configurable: { thread_id: 'thread' } })
      const messages = tuple?.checkpoint.channel_values.messages as BaseMessage[]
      return messages.map(({ type, text }) => [type, text] as const)
    },
    effects: () => (existsSync(ledger) ? readFileSync(ledger, 'utf8').trimEnd().split('\n').length : 0),
    verdicts: () => strict.requests.map(({ verdict }) => verdict),
    async [Symbol.asyncDispose]() {
      await strict.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const script = programFile('langchain-child')
