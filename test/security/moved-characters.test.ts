import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MovedMessage } from '../../src/doctor/move/moved-session.ts'
import { moveTargets } from '../../src/doctor/move/targets.ts'
import { withoutLoneSurrogates } from '../../src/doctor/move/well-formed.ts'
import { antiphon } from '../apps/cli/program.ts'
import { inFolder } from '../doctor/contract.ts'

/** Half of an emoji that a cut left, as `\ud83d` in JSON; both halves of another one are far apart from it. */
const half = '\ud83d'
const messages = [
  // The title of the session would be cut inside of the emoji.
  { role: 'user', content: `${'x'.repeat(78)}🔥 and ${half} there` },
  {
    ...{ role: 'assistant', content: `I look${half}.` },
    tool_calls: [
      {
        id: 'call_1',
        type: 'function',
        function: { name: 'look', arguments: JSON.stringify({ [`at${half}`]: half }) },
      },
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', content: `A c\udfffat.` },
  { role: 'assistant', content: 'A cat 🐈.' },
]

/** What a parser in Rust rejects: an escape of one half without the other. */
const lone = /\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}/i

test.each(moveTargets)('[SE365] a session that is moved to $title has no half of a character', target =>
  inFolder(async folder => {
    const file = join(folder, 'session.json')
    writeFileSync(file, JSON.stringify(messages))
    const out = join(folder, 'out')
    const { code, stdout } = await antiphon(['move', file, '--to', target.id, '-o', out, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout).repairs).toContain('broken-character')
    const written = readdirSync(out, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n')
    expect(written).toContain('A cat 🐈.')
    expect(written).toContain('A c\uFFFDat.')
    expect(lone.exec(written)?.[0]).toBeUndefined()
    expect(written.isWellFormed()).toBe(true)
  }),
)

const moved = (input: Record<string, unknown>): readonly MovedMessage[] => {
  const result = { text: '', images: [], isError: false, time: 0 }
  return withoutLoneSurrogates(
    [{ role: 'assistant', time: 0, parts: [{ kind: 'call', id: 'a', name: 'f', input, result }] }],
    [],
  )
}

test('[SE365] nor has one whose only halves are in the names of arguments', () => {
  expect(JSON.stringify(moved({ [`at${half}`]: 1 }))).toContain('{"at\uFFFD":1}')
})

test('[SE365] very many names that become the same one stay apart, in linear time', () => {
  const halves = Array.from({ length: 20_000 }, (_, index) =>
    String.fromCharCode(0xd800 + (index % 1024), 0x61, 0xd800 + Math.floor(index / 1024)),
  )
  const [message] = moved(Object.fromEntries(halves.map(name => [name, half])))
  const [call] = message?.parts ?? []
  const names = Object.keys(call?.kind === 'call' ? call.input : {})
  expect(names).toHaveLength(halves.length)
  expect(names.join('').length).toBeLessThan(20 * halves.length)
})
