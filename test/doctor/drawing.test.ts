import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../src/core/conversation.ts'
import { applyEdits } from '../../src/core/edit.ts'
import { examineStores } from '../../src/doctor/doctor.ts'
import { withRepairTexts } from '../../src/doctor/drawing.ts'
import type { Drawing } from '../../src/doctor/system.ts'
import { load, root } from '../repository.ts'
import { seedsOf, triesAll } from '../sample.ts'
import { inFolder, type Subject } from './contract.ts'

const seeds = seedsOf(5, 2).map(seed => seed + 1)

const systems = globSync('test/doctor/systems/*/subject.ts', { cwd: root }).sort()

/** Whatever was written a moment ago counts as over. */
const now = Date.now() + 24 * 3_600_000

describe.each(systems)('%s', file => {
  test('[DW1] a corrupted store is drawn with edits that lead to what the doctor makes of it', async () => {
    let broken = 0
    for (const subject of Object.values(await load(file)).filter(isSubject)) {
      for (const seed of seeds) {
        await inFolder(async folder => {
          const path = await subject.corrupted(seed, folder)
          const before = await drawings(subject, path)
          for await (const one of examineStores([path], {
            systems: [subject.system],
            fix: true,
            backups: backupsOf(folder),
            now,
          }))
            if (one.kind === 'conversation') expect(one.failure, `seed ${seed}`).toBeUndefined()
          const after = await drawings(subject, path)
          for (const [id, { messages, repairs, records }] of before) {
            const healed = applyEdits(
              messages,
              repairs.flatMap(({ edits }) => edits),
            )
            if (repairs.length > 0) broken++
            expect(
              placesOf([...messages, ...healed]).filter(place => !records[place]),
              `seed ${seed}`,
            ).toEqual([])
            const stored = after.get(id)
            expect(stored?.repairs, `seed ${seed}`).toEqual([])
            expect(heard(healed), `seed ${seed}, ${id}`).toEqual(heard(stored?.messages ?? []))
          }
        })
      }
    }
    expect(broken).toBeGreaterThan(triesAll ? 2 : 0)
  })
})

/** As it comes to a page: by way of JSON, in the words of the examination. */
async function drawings({ system }: Subject, path: string): Promise<Map<string, Drawing>> {
  const drawn = new Map<string, Drawing>()
  for await (const one of examineStores([path], { systems: [system], now })) {
    if (one.kind !== 'conversation' || !one.examination.draw) continue
    const drawing = withRepairTexts(one.examination, one.examination.draw())
    expect(drawing.repairs.map(({ rule }) => rule).toSorted()).toEqual(
      expect.arrayContaining(one.examination.repairs.map(({ rule }) => rule)),
    )
    drawn.set(one.id, JSON.parse(JSON.stringify(drawing)))
  }
  return drawn
}

/**
 * Every text, call and result by its role and id. How they share messages and the order of results are not compared.
 */
const heard = (messages: readonly Message[]): string[] =>
  messages
    .flatMap(({ role, parts }) =>
      parts.map(part => `${role} ${part.kind} ${'id' in part ? part.id : part.kind === 'text' ? part.text : ''}`),
    )
    .toSorted()

const placesOf = (messages: readonly Message[]): number[] =>
  messages
    .flatMap(({ origin, parts }) => [origin, ...parts.map(({ slot }) => slot)])
    .filter(place => place !== undefined)

const isSubject = (value: unknown): value is Subject =>
  typeof value === 'object' && value !== null && 'corrupted' in value

const backupsOf = (folder: string): string => join(dirname(folder), 'backups')
