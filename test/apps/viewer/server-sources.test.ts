import { cpSync, globSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startViewer } from '../../../src/apps/viewer/index.ts'
import type { CatalogueItem, Document, Notice, StoredDocument } from '../../../src/apps/viewer/protocol.ts'
import { applyEdits } from '../../../src/core/edit.ts'
import { createTape } from '../../../src/observe/tape/create-tape.ts'
import { root } from '../../repository.ts'
import { folder } from '../cli/program.ts'
import { sampleStores } from './browser/sample-stores.ts'
import { ask, documentOf, eventsOf, itemsOf, smallPage, withViewer } from './viewer-server.ts'

const sample = (path: string): string => join(root, 'test/doctor/systems', path)

const talk = (count: number): unknown[] =>
  Array.from({ length: count }, (_, index) => ({ role: index % 2 ? 'assistant' : 'user', content: `word ${index}` }))

/** What the page gets of the only conversation at a path. */
async function drawn(path: string, head = ''): Promise<Document> {
  let document: Document | undefined
  await withViewer({ paths: [path] }, async viewer => {
    const [item] = await itemsOf(viewer)
    document = await documentOf(viewer, item, head)
  })
  return document as Document
}

describe('what is shown', () => {
  test('[VW7] the content of a path decides what it is', async () => {
    const list = [{ role: 'user', content: 'Größe <b>' }]
    const body = { model: 'gpt-5', messages: list, temperature: 1.0 }
    const tape: string[] = []
    createTape({ write: line => tape.push(line) }).input({ content: 'hi' })
    const home = folder({
      'list.txt': `\uFEFF ${JSON.stringify(list)}\n`,
      'body.txt': JSON.stringify(body, null, 2),
      'lines.txt': `${JSON.stringify(list[0])}\n\n${JSON.stringify({ role: 'assistant', content: 'ja' })}\n`,
      'tape.txt': tape.join(''),
    })
    expect(await drawn(join(home, 'list.txt'))).toMatchObject({ kind: 'history', value: list })
    expect(await drawn(join(home, 'body.txt'))).toMatchObject({
      kind: 'history',
      value: body,
      options: { model: 'gpt-5' },
    })
    expect(await drawn(join(home, 'lines.txt'))).toMatchObject({
      kind: 'history',
      value: [...list, { role: 'assistant', content: 'ja' }],
    })
    expect(await drawn(join(home, 'tape.txt'))).toMatchObject({
      kind: 'tape',
      faults: [],
      entries: [{ kind: 'input' }],
    })
    expect(await drawn(sample('codex/samples/broken'))).toMatchObject({
      kind: 'stored',
      system: 'Codex',
      state: 'broken',
    })
  })

  test('[VW8] every sample of every system is listed with its state, and drawn with edits that repair it', async () => {
    const stores = sampleStores(folder())
    await withViewer({ paths: stores.map(({ path }) => path) }, async viewer => {
      const items = await itemsOf(viewer)
      for (const [index, { name, state }] of stores.entries()) {
        const own = items.filter(({ source }) => source === String(index + 1))
        expect(
          own.map(item => item.state),
          name,
        ).toContain(state)
        for (const item of own) {
          const document = await documentOf(viewer, item)
          if (document.kind === 'stored') mustHold(document, `${name} ${item.title}`)
          else expect(document.kind, name).toBe('history')
        }
      }
    })
  })

  /** Every place names a record, and the edits can be gone through one by one to a conversation without the same faults. */
  function mustHold({ messages, repairs, records, state }: StoredDocument, name: string): void {
    for (const { origin, parts } of messages)
      for (const place of [origin, ...parts.map(({ slot }) => slot)])
        if (place !== undefined) expect(records[place], `${name}: ${place}`).toBeDefined()
    const edits = repairs.flatMap(repair => repair.edits)
    const healed = applyEdits(messages, edits)
    expect(new Set(healed.map(({ key }) => key)).size, name).toBe(healed.length)
    if (state === 'healthy') expect(repairs, name).toEqual([])
    const calls = healed.flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'call' ? [part.id] : [])))
    const results = healed.flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'result' ? [part.id] : [])))
    if (state === 'broken' || state === 'healthy') expect(results.toSorted(), name).toEqual(calls.toSorted())
  }

  test('[VW9] the first messages of a long conversation can be requested alone, with the total number', async () => {
    const home = folder({
      'long.json': JSON.stringify(talk(1_000)),
      'wide.json': JSON.stringify([{ role: 'user', content: 'x'.repeat(1_000_000) }, ...talk(10)]),
    })
    const head = await drawn(join(home, 'long.json'), '?head')
    expect(head).toMatchObject({ kind: 'history', total: 1_000 })
    expect(head.kind === 'history' && head.value).toEqual(talk(1_000).slice(0, 200))
    const whole = await drawn(join(home, 'long.json'))
    expect(whole.kind === 'history' && whole.value).toEqual(talk(1_000))
    const wide = await drawn(join(home, 'wide.json'), '?head')
    expect(wide).toMatchObject({ total: 11, value: [{ role: 'user' }] })
    const said = talk(500).map(message => JSON.stringify(message))
    const session = join(folder({ 'chat.jsonl': said.join('\n') }), 'chat.jsonl')
    await withViewer({ paths: [session], system: 'plain' }, async viewer => {
      const [item] = await itemsOf(viewer)
      const [start, all] = [await documentOf(viewer, item, '?head'), await documentOf(viewer, item)]
      expect([start.kind === 'stored' && start.messages.length, start]).toMatchObject([200, { total: 500 }])
      expect(start.kind === 'stored' && start.records.map(({ text }) => text)).toEqual(said.slice(0, 200))
      expect(all.kind === 'stored' && all.records.map(({ text }) => text)).toEqual(said)
    })
    const short = await drawn(sample('plain/samples/list-broken.json'), '?head')
    expect(short).not.toHaveProperty('total')
  })

  test('[VW10] a file that changes is read again', async () => {
    const path = join(folder({ 'chat.json': JSON.stringify(talk(2)) }), 'chat.json')
    await withViewer({ paths: [path] }, async viewer => {
      const [item] = await itemsOf(viewer)
      expect(await documentOf(viewer, item)).toMatchObject({ value: talk(2) })
      writeFileSync(path, JSON.stringify(talk(3)))
      expect(await documentOf(viewer, item)).toMatchObject({ value: talk(3) })
      writeFileSync(path, JSON.stringify([...talk(2), { role: 'tool', tool_call_id: 'lost', content: 'found' }]))
      await documentOf(viewer, item)
      await expect.poll(async () => (await itemsOf(viewer))[0].state).toBe('broken')
      writeFileSync(path, '[{')
      const { status, body } = await ask(`${viewer.url}api/documents/1/1`)
      expect({ status, ...JSON.parse(body) }).toMatchObject({
        status: 422,
        error: expect.stringMatching(/chat\.json:1:3/),
      })
    })
  })

  test('[VW11] an unreadable path is listed with its reason; only unreadable paths are an error', async () => {
    const home = folder({ 'chat.json': '[]', 'empty.json': '', 'list.json': '[{"role": "us' })
    const bad = ['empty.json', 'list.json', 'none.json'].map(name => join(home, name))
    await withViewer({ paths: [bad[0], join(home, 'chat.json'), bad[1], bad[2]] }, async viewer => {
      expect(viewer.failures).toHaveLength(3)
      const items = await itemsOf(viewer)
      expect(items.map(({ state }) => state)).toEqual(['unreadable', 'healthy', 'unreadable', 'unreadable'])
      for (const { note, state } of items) if (state === 'unreadable') expect(note).toMatch(/^[^\n]+\.json.*: .+/)
    })
    await expect(startViewer({ paths: bad.slice(0, 1), page: smallPage })).rejects.toThrow('empty.json: it is empty')
    await expect(startViewer({ paths: bad, page: smallPage })).rejects.toThrow(/empty\.json.*list\.json.*none\.json/)
    const secret = 'postgres://me:hunter2@127.0.0.1:1/chats?password=hunter2'
    const rejected = await startViewer({ paths: [secret], page: smallPage }).catch((error: Error) => error)
    expect(String(rejected)).toMatch(/127\.0\.0\.1:1/)
    expect(JSON.stringify(rejected) + String(rejected)).not.toContain('hunter2')
  })

  test('[VW12] a conversation too large for a browser is one clear line', async () => {
    const home = folder({ 'chat.json': '[]', 'big.json': '[' })
    const session = join(home, 'rollout-2026-11-15T20-00-00-00000000-0000-4000-8000-000000000000.jsonl')
    const [broken] = globSync(sample('codex/samples/broken/*.jsonl'))
    cpSync(broken, session)
    for (const path of [session, join(home, 'big.json')]) truncateSync(path, 256 * 1024 * 1024 + 1)
    await withViewer({ paths: [session, join(home, 'big.json'), join(home, 'chat.json')] }, async viewer => {
      const items = await itemsOf(viewer)
      for (const { source, id } of items.filter(({ source }) => source !== '3')) {
        const { status, body } = await ask(`${viewer.url}api/documents/${source}/${id}`)
        expect({ status, ...JSON.parse(body) }).toMatchObject({
          status: 422,
          error: expect.stringMatching(/too large to be shown: more than 256 MB$/),
        })
      }
    })
  })

  test('[VW13] the sessions of a folder are sent one by one while others are still being read', async () => {
    const home = folder()
    const text = readFileSync(sample('plain/samples/list-broken.json'))
    for (let number = 0; number < 300; number++) {
      mkdirSync(join(home, `${number % 7}`), { recursive: true })
      writeFileSync(join(home, `${number % 7}`, `${number}.json`), text)
    }
    await withViewer({ paths: [home] }, async viewer => {
      const seen: Notice[] = []
      for await (const notice of eventsOf<Notice>(`${viewer.url}api/events`)) {
        seen.push(notice)
        if (notice.kind === 'listed') break
      }
      const states = new Map(seen.flatMap(one => (one.kind === 'item' ? [[one.item.id, one.item.state]] : [])))
      expect([...states.values()]).toEqual(Array.from({ length: 300 }, () => 'broken'))
      const last: CatalogueItem = { source: '1', id: '300', title: '', state: 'unknown' }
      expect(await documentOf(viewer, last)).toMatchObject({ kind: 'stored', system: 'plain file' })
    })
  })

  test('[VW14] names are never parts of a path', async () => {
    const names = ['<script>alert(1)<', 'a"b\'c', '..%2f..', 'ünï\n😀', '__proto__', '\u202Egnp.txt']
    const home = folder(
      Object.fromEntries(names.map(name => [`${name}.json`, '[{"role":"user","content":"</script>"}]'])),
    )
    await withViewer({ paths: [...names.map(name => join(home, `${name}.json`)), home] }, async viewer => {
      const items = await itemsOf(viewer)
      expect(items).toHaveLength(names.length * 2)
      for (const item of items) {
        expect(item.id).toMatch(/^[0-9]+$/)
        expect(item.state).toBe('healthy')
        expect(JSON.stringify(await documentOf(viewer, item))).toContain('</script>')
      }
      for (const name of names)
        expect(
          items.some(({ title }) => title.endsWith(`${name}.json`)),
          name,
        ).toBe(true)
    })
  })
})
