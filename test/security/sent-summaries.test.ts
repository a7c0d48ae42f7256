import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { antiphon } from '../apps/cli/program.ts'
import { inFolder } from '../doctor/contract.ts'
import { writeSessions } from '../doctor/systems/openclaw-sqlite/subject.ts'

const entry = (id: string, parentId: string | null, fields: object): string =>
  JSON.stringify({ ...fields, id, parentId, timestamp: '2026-01-01T00:00:01.000Z' })
const message = (id: string, parentId: string | null, role: string, text: string): string =>
  entry(id, parentId, {
    type: 'message',
    message: { role, content: [{ type: 'text', text }], api: 'anthropic-messages', stopReason: 'stop', timestamp: 1 },
  })

const header = { type: 'session', version: 3, id: '7d0f5a52-6c1b-4f7e-9f53-2f6c1e0a4b20', cwd: '/work' }
const compacted = [
  JSON.stringify({ ...header, timestamp: '2026-01-01T00:00:00.000Z' }),
  message('a', null, 'user', 'Long ago.'),
  message('b', 'a', 'user', 'Go on.'),
  entry('c', 'b', { type: 'compaction', summary: 'They fixed the cart.', firstKeptEntryId: 'b', tokensBefore: 9 }),
]
const kept = [...compacted, message('d', 'c', 'user', 'And now?')]
const emptied = [...compacted, entry('r', 'c', { type: 'reset' }), message('d', 'r', 'user', 'And now?')]
const summary = 'Summary of what was said before:\n\nThey fixed the cart.'

const inFile = (folder: string, lines: readonly string[]): string => {
  const path = join(folder, 's.jsonl')
  writeFileSync(path, lines.map(line => `${line}\n`).join(''))
  return path
}
const inDatabase = (folder: string, lines: readonly string[]): string => writeSessions(folder, [lines])

test.each([
  ['pi', inFile, kept, [summary, 'Go on.', 'And now?']],
  ['the OpenClaw database', inDatabase, kept, [summary, 'Go on.', 'And now?']],
  ['OpenClaw after a reset', inFile, emptied, ['And now?']],
  ['the OpenClaw database after a reset', inDatabase, emptied, ['And now?']],
])(
  '[SE707] a session of %s is extracted and moved with the summary that is sent, and with no other',
  (_, store, lines, texts) =>
    inFolder(async folder => {
      const path = store(folder, lines)
      const { stdout } = await antiphon(['extract', path, '--json'])
      expect(JSON.parse(stdout).messages.map(({ content }: Record<string, unknown>) => content)).toEqual(texts)
      const out = join(folder, 'out')
      expect((await antiphon(['move', path, '--to', 'claude-code', '-o', out])).code).toBe(0)
      const moved = readdirSync(out, { recursive: true, withFileTypes: true })
        .filter(file => file.isFile())
        .map(file => readFileSync(join(file.parentPath, file.name), 'utf8'))
        .join('\n')
      expect(moved.includes('They fixed the cart.')).toBe(texts.length > 1)
    }),
)
