import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { StoreRepairs } from '../../src/apps/viewer/sources/store-repairs.ts'
import { kimiCli } from '../../src/doctor/systems/kimi-cli/index.ts'
import { systems } from '../../src/doctor/systems.ts'
import { inFolder } from '../doctor/contract.ts'

const line = (record: object): string => `${JSON.stringify(record)}\n`
const call = { type: 'function', id: 'call-1', function: { name: 'Shell', arguments: '{"command":"ls"}' } }
const broken =
  line({ role: '_checkpoint', id: 0 }) +
  line({ role: 'user', content: 'List the files.' }) +
  line({ role: 'assistant', content: '', tool_calls: [call] }) +
  line({ role: 'user', content: 'Go on.' })
const said = line({ role: 'assistant', content: 'What the program writes after the repair.' })

test('[SE335] an undo of the viewer does not remove what the program has written since the repair', () =>
  inFolder(async folder => {
    vi.stubEnv('XDG_STATE_HOME', join(folder, '..', 'state'))
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const id = '462ecd87-0da0-5f08-ae70-e58d7851120c'
    const session = join(folder, 'sessions', '11e9fe063b91149eb10c6daf331adfaa', id)
    mkdirSync(session, { recursive: true })
    const path = join(session, 'context.jsonl')
    writeFileSync(path, broken)
    const repairs = new StoreRepairs(systems)
    const place = { path, system: kimiCli, id }
    await repairs.act('1', place, { do: 'fix' })
    const healed = readFileSync(path, 'utf8')
    expect(healed).not.toBe(broken)
    appendFileSync(path, said)
    await expect(repairs.act('1', place, { do: 'undo' })).rejects.toThrow('it was continued after its repair')
    expect(readFileSync(path, 'utf8')).toBe(healed + said)
    writeFileSync(path, healed)
    await repairs.act('1', place, { do: 'undo' })
    expect(readFileSync(path, 'utf8')).toBe(broken)
  }))
