import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { examineStores } from '../../src/doctor/doctor.ts'
import { all, inFolder, state } from '../doctor/contract.ts'
import { subject as openhands } from '../doctor/systems/openhands/subject.ts'
import { subject as strands } from '../doctor/systems/strands/subject.ts'

test.each([
  ['OpenHands', openhands],
  ['Strands', strands],
])('[SE543] a repair of a folder of %s keeps its FIFOs and sockets', (_, { system, corrupted }) =>
  inFolder(async folder => {
    const path = await corrupted(3, folder)
    const inside = join(path, 'run')
    mkdirSync(inside)
    for (const place of [path, inside]) execFileSync('mkfifo', [join(place, 'pipe')])
    const server = createServer().listen(join(inside, 's'))
    onTestFinished(() => void server.close())
    const found = await all(
      examineStores([path], { systems: [system], fix: true, backups: join(folder, '..', 'backups') }),
    )
    expect(found).toMatchObject([{ kind: 'conversation', examination: { state: 'broken' } }])
    expect((await all(examineStores([path], { systems: [system] }))).map(state)).toEqual(['healthy'])
    for (const name of ['pipe', join('run', 'pipe')]) expect(lstatSync(join(path, name)).isFIFO()).toBe(true)
    expect(lstatSync(join(inside, 's')).isSocket()).toBe(true)
  }),
)
