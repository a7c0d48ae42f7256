import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openStores } from '../../src/apps/viewer/sources/store-source.ts'
import { kimiCli } from '../../src/doctor/systems/kimi-cli/index.ts'
import { inFolder } from '../doctor/contract.ts'

const line = (record: object): string => `${JSON.stringify(record)}\n`
const call = { type: 'function', id: 'call-1', function: { name: 'Shell', arguments: '{"command":"ls"}' } }
const broken =
  line({ role: '_checkpoint', id: 0 }) +
  line({ role: 'user', content: 'List the files.' }) +
  line({ role: 'assistant', content: '', tool_calls: [call] }) +
  line({ role: 'user', content: 'Go on.' })

test('[SE353] the viewer follows no link that replaced a session after it was listed', () =>
  inFolder(async folder => {
    const id = '462ecd87-0da0-5f08-ae70-e58d7851120c'
    const named = join(folder, 'named')
    const session = join(named, 'sessions', '11e9fe063b91149eb10c6daf331adfaa', id)
    const path = join(session, 'context.jsonl')
    const outside = join(folder, 'outside', id, 'context.jsonl')
    for (const file of [path, outside]) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, broken)
    }
    const source = await openStores({ id: '1', name: 'named', kind: 'store' }, named, [kimiCli])
    const { signal } = new AbortController()
    await source.list({ signal, onItem() {}, onListed() {}, hasListeners: () => true })
    expect((await source.document('1', 'whole')).join('')).toContain('List the files.')
    const refuse = async (): Promise<void> => {
      const error = 'it was replaced by a link to another place'
      await expect(source.repair?.('1', { do: 'fix' })).rejects.toThrow(error)
      await expect(source.document('1', 'whole')).rejects.toThrow(error)
      expect(readFileSync(outside, 'utf8')).toBe(broken)
    }
    rmSync(path)
    symlinkSync(outside, path)
    await refuse()
    renameSync(session, `${session}-old`)
    symlinkSync(dirname(outside), session)
    await refuse()
  }))
