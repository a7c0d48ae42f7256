import fs, { mkdirSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { examineStores } from '../../src/doctor/doctor.ts'
import { lookAtProcesses } from '../../src/doctor/files/processes/processes.ts'
import { kimiCli } from '../../src/doctor/systems/kimi-cli/index.ts'
import { all, inFolder, state } from '../doctor/contract.ts'

const line = (record: object): string => `${JSON.stringify(record)}\n`
const call = { type: 'function', id: 'call-1', function: { name: 'Shell', arguments: '{"command":"ls"}' } }
const broken =
  line({ role: '_checkpoint', id: 0 }) +
  line({ role: 'user', content: 'List the files.' }) +
  line({ role: 'assistant', content: '', tool_calls: [call] }) +
  line({ role: 'user', content: 'Go on.' })

/** How often work reads the list of processes. */
async function countLooks(work: () => unknown): Promise<number> {
  const { readdirSync } = fs
  let looks = 0
  fs.readdirSync = ((...given: Parameters<typeof readdirSync>) => {
    if (given[0] === '/proc') looks++
    return readdirSync(...given)
  }) as typeof readdirSync
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    fs.readdirSync = readdirSync
    syncBuiltinESMExports()
  }
  return looks
}

test.runIf(process.platform === 'linux')(
  '[SE334] many broken sessions are examined with one look at the running processes, not with one for each file',
  () =>
    inFolder(async folder => {
      const sessions = 20
      for (let number = 0; number < sessions; number++) {
        const id = `462ecd87-0da0-5f08-ae70-${String(number).padStart(12, '0')}`
        const session = join(folder, 'sessions', '11e9fe063b91149eb10c6daf331adfaa', id)
        mkdirSync(session, { recursive: true })
        writeFileSync(join(session, 'context.jsonl'), broken)
      }
      expect(await countLooks(() => lookAtProcesses())).toBe(1)
      // A look counts for a while, so that time stands still.
      vi.useFakeTimers({ toFake: ['performance'] })
      try {
        const looks = await countLooks(async () => {
          const found = await all(examineStores([folder], { systems: [kimiCli] }))
          expect(found.map(state).filter(one => one === 'broken')).toHaveLength(sessions)
        })
        expect(looks).toBe(1)
      } finally {
        vi.useRealTimers()
      }
    }),
)
