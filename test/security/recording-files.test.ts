import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRecorder } from '../../src/apps/cli/commands/strict-record.ts'
import { draftFor } from '../../src/doctor/files/drafts.ts'
import { startStrict } from '../../src/strict/index.ts'
import { inFolder } from '../doctor/contract.ts'

const body = JSON.stringify({ model: 'some-model', messages: [{ role: 'user', content: 'Hello.' }] })
const key = 'a-key-without-any-known-form'
const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }

test('[SE272] only its owner reads a recording of strict --record, and writing it follows no link', () =>
  inFolder(async folder => {
    const file = join(folder, 'replies.json')
    const other = join(folder, 'other')
    writeFileSync(other, 'of somebody else')
    symlinkSync(other, draftFor(file))
    // A recording that was killed before its file had its name.
    writeFileSync(join(folder, '.replies.json.999999999.antiphon'), '[')
    const calls = [{ name: 'f', input: { [key]: key } }]
    await using api = await startStrict({ script: () => ({ text: 'Hello.', calls }) })
    const recorder = createRecorder(file, api.url)
    await using strict = await startStrict({ script: recorder.reply })
    recorder.begin()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await fetch(`${strict.url}/v1/chat/completions`, { method: 'POST', headers, body })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const recorded = readFileSync(file, 'utf8')
    expect(JSON.parse(recorded)).toHaveLength(1)
    expect(recorded).not.toContain(key)
    expect(readFileSync(other, 'utf8')).toBe('of somebody else')
    expect(readdirSync(folder).sort()).toEqual(['other', 'replies.json'])
    expect(existsSync(draftFor(file))).toBe(false)
  }))

test('[SE363] replies of Ollama are recorded, also for clients that let it stream', () =>
  inFolder(async folder => {
    const file = join(folder, 'replies.json')
    await using api = await startStrict({ script: () => ({ text: 'Hello.', usage: { input: 7, output: 2 } }) })
    const recorder = createRecorder(file, api.url)
    await using strict = await startStrict({ script: recorder.reply })
    recorder.begin()
    for (const stream of [{}, { stream: true }, { stream: false }]) {
      const asked = { model: 'qwen3:8b', messages: [{ role: 'user', content: 'Hello.' }], ...stream }
      const response = await fetch(`${strict.url}/api/chat`, { method: 'POST', headers, body: JSON.stringify(asked) })
      expect(response.status).toBe(200)
      expect((await response.text()).trim().split('\n').length > 1).toBe(asked.stream !== false)
    }
    const reply = { text: 'Hello.', usage: { input: 7, output: 2 } }
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([reply, reply, reply])
  }))
