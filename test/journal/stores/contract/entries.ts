import { describe, expect, test } from 'vitest'
import type { Entry, EntryData } from '../../../../src/journal/entry.ts'
import type { Write } from '../../../../src/journal/stores/store.ts'
import { everyKind, submit } from '../../sample-entries.ts'
import { type Fixture, long, picture, range, seqs } from './fixture.ts'

export function checkEntries(fixture: Fixture): void {
  describe('entries', () => {
    test('[W7] sequence numbers start at 1 and have no gaps', async () => {
      const { thread } = await fixture.store.open('t')
      const sizes = [1, 3, 0, 2, 7]
      let head = 0
      for (const size of sizes) {
        const written = await fixture.accept({ thread, entries: Array.from({ length: size }, () => submit()) })
        head += size
        expect(written.head).toBe(head)
        expect((await fixture.store.get(thread)).head).toBe(head)
      }
      expect(seqs(await fixture.store.read(thread, 0))).toEqual(range(1, head))
    })

    test('[W8] all entries of one write have the same time and the same epoch', async () => {
      const { thread, createdAt } = await fixture.store.open('t')
      await fixture.pass(5)
      const before = await fixture.store.now()
      const { at, epoch } = await fixture.accept({ thread, entries: [submit(), submit(), submit()] })
      expect(Number.isInteger(at)).toBe(true)
      expect(at).toBeGreaterThanOrEqual(before)
      expect(at).toBeLessThanOrEqual(await fixture.store.now())
      expect((await fixture.store.read(thread, 0)).map(entry => [entry.at, entry.epoch])).toEqual(
        Array.from({ length: 3 }, () => [at, epoch]),
      )
      const row = await fixture.store.get(thread)
      expect(row.updatedAt).toBe(at)
      expect(row.createdAt).toBe(createdAt)
      expect(createdAt).toBeLessThan(at)
    })

    test('[W9] a write without entries changes only the row of the thread', async () => {
      const { thread } = await fixture.store.open('t')
      await fixture.accept({ thread, entries: [submit()] })
      const written = await fixture.accept({ thread, entries: [], state: 'parked', dueAt: 5 })
      expect(written.head).toBe(1)
      expect(await fixture.store.get(thread)).toMatchObject({ head: 1, state: 'parked', dueAt: 5 })
      await fixture.accept({ thread, entries: [] })
      expect(await fixture.store.get(thread)).toMatchObject({ head: 1, state: 'parked', dueAt: 5 })
      expect(await fixture.store.read(thread, 0)).toHaveLength(1)
    })

    test('[W10] every kind of entry is read back with all its fields', async () => {
      const { thread } = await fixture.store.open('t')
      const written: EntryData[] = []
      const add = async (...entries: EntryData[]) => {
        await fixture.accept({ thread, entries, head: written.length })
        written.push(...entries)
      }
      await add(everyKind['response-record'])
      await add(everyKind['call-start'])
      await add(everyKind['call-settle'])
      const { 'response-record': _, 'call-start': __, 'call-settle': ___, ...others } = everyKind
      await add(...Object.values(others))
      const entries = await fixture.store.read(thread, 0)
      expect(entries.map(dataOf)).toEqual(written)
      expect(new Set(entries.map(({ kind }) => kind)).size).toBe(Object.keys(everyKind).length)
    })

    test('[W11] reading starts after a given position and returns at most 1,000 entries at a time by default', async () => {
      const { thread } = await fixture.store.open('t')
      const other = await fixture.store.open('other')
      await fixture.accept({ thread: other.thread, entries: [submit(), submit()] })
      await fixture.accept({ thread, entries: Array.from({ length: 1_203 }, () => submit()) })
      expect(seqs(await fixture.store.read(thread, 0))).toEqual(range(1, 1_000))
      expect(seqs(await fixture.store.read(thread, 1_000))).toEqual(range(1_001, 1_203))
      expect(seqs(await fixture.store.read(thread, 5, 3))).toEqual([6, 7, 8])
      expect(seqs(await fixture.store.read(thread, 0, 2_000))).toEqual(range(1, 1_203))
      expect(await fixture.store.read(thread, 1_203)).toEqual([])
      expect(await fixture.store.read(thread, 9_999)).toEqual([])
      expect(seqs(await fixture.store.read(other.thread, 0))).toEqual([1, 2])
    })

    test.each(hardContents)('[W12] content is read back exactly as it was written: %s', async (_, content) => {
      const { thread } = await fixture.store.open('t')
      await fixture.accept({ thread, entries: [submit(content), submit(content)] })
      for (const entry of await fixture.store.read(thread, 0))
        expect(JSON.stringify((entry as { content: unknown }).content)).toBe(JSON.stringify(content))
    })

    test('[W53] a page is empty only at the end, however large entries are', async () => {
      const { thread } = await fixture.store.open('t')
      const content = 'x'.repeat(3 * 1024 * 1024)
      for (const _ of range(1, 8)) await fixture.accept({ thread, entries: [submit(content)] })
      expect(seqs(await fixture.all(thread))).toEqual(range(1, 8))
      expect(await fixture.store.read(thread, 8)).toEqual([])
    })

    test('[W13] an entry can be as large as 20 MB', async () => {
      const { thread } = await fixture.store.open('t')
      const content = `${'x'.repeat(20 * 1024 * 1024)}🙂`
      await fixture.accept({ thread, entries: [submit('before'), submit(content), submit('behind')] })
      const read = (await fixture.all(thread)).map(entry => (entry as { content: string }).content)
      expect(read.map(({ length }) => length)).toEqual([6, content.length, 6])
      expect(read[1] === content).toBe(true)
    })

    test('[W14] what is stored is the value at the time of the call to `write`; later changes to it have no effect', async () => {
      const { thread } = await fixture.store.open('t')
      const content = { text: 'before' }
      const writing = fixture.store.write({ thread, entries: [submit(content)] })
      content.text = 'behind'
      await writing
      expect(await fixture.store.read(thread, 0)).toMatchObject([{ content: { text: 'before' } }])
      const [entry] = (await fixture.store.read(thread, 0)) as unknown as [{ content: { text: string } }]
      entry.content.text = 'changed by a reader'
      expect(await fixture.store.read(thread, 0)).toMatchObject([{ content: { text: 'before' } }])
    })

    test('[W15] a value that is not JSON is an error, and nothing of that write is stored', async () => {
      const { thread } = await fixture.store.open('t')
      const circle: { self?: unknown } = {}
      circle.self = circle
      const before = await picture(fixture.store, thread)
      for (const content of [circle, 1n]) {
        const broken: Write = { thread, entries: [submit(), submit(content)], state: 'running', lease: long('a') }
        const [refused, beside] = await Promise.allSettled([fixture.store.write(broken), fixture.store.open('t')])
        expect([refused.status, beside.status]).toEqual(['rejected', 'fulfilled'])
      }
      expect(await picture(fixture.store, thread)).toEqual(before)
    })
  })
}

const dataOf = ({ seq: _, at: __, epoch: ___, ...entry }: Entry): unknown => entry

/** What databases and their drivers like to change. */
const hardContents: [string, unknown][] = [
  ['all sorts of letters', 'é e\u0301 漢字 🙂 \u202e \ufeff \uffff \u{10ffff}'],
  ['lone surrogates', ['\ud800', 'a\udfffb', { '\ud83d': 1 }]],
  ['U+0000 and control characters', ['\u0000', 'a\u0000b', { 'k\u0000': '\u0001\u001f\u007f' }, '\\u0000', '\\']],
  ['the order of keys, and keys of all sorts', { z: 1, a: 2, '': 3, 'a b': 4, constructor: 5, toString: 6 }],
  ['keys of the entry itself', { seq: 9, at: 9, epoch: 9, kind: 'x', thread: 9, data: '{}' }],
  ['a key that is not a prototype', JSON.parse('{"__proto__":{"polluted":true},"a":1}')],
  ['numbers', [0, -1, 1.5, 1e21, 5e-324, 1.7976931348623157e308, 2 ** 53, 2 ** 53 + 2, 123456789012345e5, 0.1 + 0.2]],
  ['nothing of all sorts', [null, '', [], {}, false, 0, [[]], [{}], { a: null }]],
  ['JSON inside of a text', '{"a": 1,  "a": 2}\n'],
  ['quotes and what SQL makes of them', `'; DROP TABLE antiphon_entry; -- " \` $1 ? :a @b %s \\x00 E'\\n'`],
  ['deep nesting', JSON.parse('['.repeat(1_000) + ']'.repeat(1_000))],
  ['many elements', Array.from({ length: 20_000 }, (_, index) => ({ index }))],
]
