import { expect, test } from 'vitest'
import { startProtocol, tryDocuments } from '../apps/viewer/fuzz-protocol.ts'
import { inFolder } from '../doctor/contract.ts'
import { tryStore } from '../doctor/fuzz-store.ts'
import { subjects } from '../doctor/subjects.ts'
import { inFiles } from '../doctor/systems/opencode/subject.ts'
import { startInputs } from '../integrations/proxy/fuzz-inputs.ts'

// A few cases of each; `npm run fuzz` tries thousands.

test.each(subjects.map((subject, index) => [`${subject.system.id} ${index}`, subject] as const))(
  '[SE46] a store of %s with changes to its structure is looked at and healed, or one line says why not',
  async (_, subject) => {
    for (const seed of [1, 2, 3]) expect((await tryStore(subject, seed)).faults).toEqual([])
  },
)

test('[SE46] a part of opencode that begins with a byte order mark is healed', async () => {
  expect(await tryStore(inFiles, 1122)).toMatchObject({ faults: [] })
})

test('[SE47] a request with changes to its line, headers, framing or body is answered, or its connection is closed', async () => {
  const proxy = await startInputs()
  await Promise.all(Array.from({ length: 100 }, (_, seed) => proxy.try(seed)))
  expect({ isAlive: await proxy.isAlive(), faults: proxy.faults }).toEqual({ isAlive: true, faults: [] })
  await proxy.close()
})

test('[SE48] a request to the viewer with changes to its path, headers or body is answered', () =>
  inFolder(async folder => {
    const viewer = await startProtocol(folder)
    for (let seed = 0; seed < 100; seed++) expect((await viewer.try(seed)).faults).toEqual([])
    expect(await viewer.isAlive()).toBe(true)
    await viewer.close()
  }))

test('[SE48] a file with changes to its structure is shown, or one line says why not', async () => {
  for (let seed = 0; seed < 10; seed++) expect((await tryDocuments(seed)).faults).toEqual([])
})
