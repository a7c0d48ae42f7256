import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Viewer } from '../../../src/apps/viewer/index.ts'
import type { CatalogueItem, StoredDocument } from '../../../src/apps/viewer/protocol.ts'
import { folder } from '../cli/program.ts'
import { sampleStores } from './browser/sample-stores.ts'
import { type Answer, ask, documentOf, itemsOf, withViewer } from './viewer-server.ts'

const state = mkdtempSync(join(tmpdir(), 'antiphon-viewer-state-'))

beforeAll(() => void vi.stubEnv('XDG_STATE_HOME', state))
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(state, { recursive: true, force: true })
})

const act = ({ url }: Viewer, { source, id }: CatalogueItem, action: unknown): Promise<Answer> =>
  ask(`${url}api/stores/${source}/${id}`, {
    method: 'POST',
    headers: { origin: new URL(url).origin, 'content-type': 'application/json' },
    body: typeof action === 'string' ? action : JSON.stringify(action),
  })

/** The files at a path, except for those that SQLite keeps next to a database. */
function filesOf(path: string): Map<string, string> {
  const names = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }).sort() : ['']
  return new Map(
    names
      .map(name => join(path, name))
      .filter(file => statSync(file).isFile() && !/-(wal|shm)$/.test(file))
      .map(file => [file, readFileSync(file).toString('base64')]),
  )
}

const stateOf = async (viewer: Viewer, { source, id }: CatalogueItem): Promise<string | undefined> =>
  (await itemsOf(viewer)).find(item => item.source === source && item.id === id)?.state

test('[VW62] a broken session of every system is repaired in its store on request, and that is undone', async () => {
  const stores = sampleStores(folder())
  const systems = new Set<string>()
  await withViewer({ paths: stores.map(({ path }) => path) }, async viewer => {
    for (const item of await itemsOf(viewer)) {
      const { path = '', name } = stores[Number(item.source) - 1] ?? {}
      if (item.state !== 'broken') continue
      const document = (await documentOf(viewer, item)) as StoredDocument
      if (document.kind !== 'stored') continue
      expect(document.fix?.command, name).toMatch(/^antiphon doctor --fix /)
      expect(document.path.startsWith(path) || path.startsWith(document.path), name).toBe(true)
      expect(document.at, name).toBeGreaterThan(0)
      expect(document.undo, name).toBeUndefined()
      const before = filesOf(path)

      const fixed = await act(viewer, item, { do: 'fix' })
      expect(fixed, name).toMatchObject({ status: 200 })
      expect(filesOf(path), name).not.toEqual(before)
      expect(await stateOf(viewer, item), name).not.toBe('broken')
      const healed = (await documentOf(viewer, item)) as StoredDocument
      expect(healed.fix, name).toBeUndefined()
      expect(healed.undo?.command, name).toContain(healed.undo?.backup)

      expect(await act(viewer, item, { do: 'undo' }), name).toMatchObject({ status: 200 })
      expect(filesOf(path), name).toEqual(before)
      expect(await stateOf(viewer, item), name).toBe('broken')
      systems.add(item.system ?? '')
    }
  })
  expect(systems.size).toBeGreaterThan(20)
})

test('[VW63] what is not possible is refused in one line and changes nothing', async () => {
  const stores = sampleStores(folder()).filter(({ name }) => /^(codex|claude-code)\/(healthy|broken)$/.test(name))
  expect(stores).toHaveLength(4)
  await withViewer({ paths: stores.map(({ path }) => path) }, async viewer => {
    const before = stores.map(({ path }) => filesOf(path))
    for (const item of await itemsOf(viewer)) {
      const refused = [
        ...(item.state === 'broken' ? [] : [await act(viewer, item, { do: 'fix' })]),
        await act(viewer, item, { do: 'undo' }),
        await act(viewer, item, { do: 'approve', call: 'x' }),
        await act(viewer, item, '{'),
        await ask(`${viewer.url}api/threads/${item.source}/${item.id}`, {
          method: 'POST',
          headers: { origin: new URL(viewer.url).origin, 'content-type': 'application/json' },
          body: '{"do":"fix"}',
        }),
        await ask(`${viewer.url}api/stores/${item.source}/${item.id}`),
        await ask(`${viewer.url}api/stores/${item.source}/${item.id}`, { method: 'POST', body: '{"do":"fix"}' }),
      ]
      for (const { status, body } of refused) {
        expect(status).toBeGreaterThanOrEqual(400)
        expect(status).toBeLessThan(500)
        expect(JSON.parse(body).error).not.toContain('\n')
      }
    }
    expect(stores.map(({ path }) => filesOf(path))).toEqual(before)
  })
})

test('[DD86] a plain history where a program keeps its sessions is shown, and is not changed', async () => {
  const place = join(folder(), '.codex', 'sessions')
  mkdirSync(place, { recursive: true })
  const file = join(place, 'chat.json')
  const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
  const messages = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: null, tool_calls: [call] },
  ]
  const broken = JSON.stringify([...messages, { role: 'user', content: 'Go on.' }])
  writeFileSync(file, broken)
  await withViewer({ paths: [place] }, async viewer => {
    const [item] = await itemsOf(viewer)
    expect(item.state).toBe('broken')
    const { kind, fix } = (await documentOf(viewer, item)) as StoredDocument
    expect({ kind, fix }).toEqual({ kind: 'stored', fix: undefined })
    expect((await act(viewer, item, { do: 'fix' })).status).not.toBe(200)
  })
  expect(readFileSync(file, 'utf8')).toBe(broken)
})
