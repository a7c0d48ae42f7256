import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandFor } from '../../src/apps/viewer/page/share/command-for.ts'
import { visibleText } from '../../src/apps/viewer/page/visible-text.ts'
import { shellWord } from '../../src/core/shell-word.ts'
import { fixCommand, undoCommand } from '../../src/doctor/backup/commands.ts'
import { restore } from '../../src/doctor/backup/restore.ts'
import { systems } from '../../src/doctor/systems.ts'
import { inFolder } from '../doctor/contract.ts'

const hostile = [
  '',
  "'; touch pwned; '",
  "x\\'; touch pwned; '",
  '\\',
  "\\'",
  '/etc/os-releas\t; touch pwned\n',
  'a\u0003touch pwned\n',
  '\u001b[201~; touch pwned\r',
  '$(touch pwned)`touch pwned`',
  '!! & touch pwned | touch pwned > pwned',
  '=ls',
  '~',
  '*',
  '{a,b}',
  '#',
  '-x',
  '--restore',
  'a\u202eb\u200bc\u2028d\u0085e',
  'Zoë 👩‍👩‍👧',
]

/** All words of two characters that have a meaning in a shell, next to a letter. */
const pairs = [...`'"\\$\`!;&|<>()*?[]{}~#= \t\n\ra`].flatMap((one, _, all) => all.map(other => `${one}${other}a`))

/** What fish reads: inside single quotes, a backslash escapes a quote and a backslash. Undefined if it rejects the word. */
function readByFish(word: string): string | undefined {
  const tokens: readonly string[] = word.match(/'(?:\\['\\]|[^'])*'|\\.|\$(?=')|[\w./:@%+=,-]/gsu) ?? []
  expect(tokens.join('')).toBe(word)
  if (tokens.includes('$')) return undefined
  return tokens
    .map(token => (token.startsWith("'") ? token.slice(1, -1).replace(/\\(['\\])/g, '$1') : token.replace(/^\\/, '')))
    .join('')
}

/** The words that a shell makes of an argument list. */
const readBy = (shell: string, command: string): string[] =>
  execFileSync(shell, ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)

const isVisible = (word: string): boolean => !/[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028]/u.test(word)

test('[SE350] a shell reads each word of a command as it is', () => {
  const words = [...hostile, ...pairs]
  expect(readBy('bash', words.map(shellWord).join(' '))).toEqual(words)
  const visible = words.filter(isVisible)
  expect(readBy('sh', visible.map(shellWord).join(' '))).toEqual(visible)
  expect(readBy('sh', words.map(shellWord).join(' '))).toHaveLength(words.length)
  for (const word of words) {
    const quoted = shellWord(word)
    expect(visibleText(quoted)).toBe(quoted)
    expect(quoted).not.toMatch(/\p{Cc}/u)
    expect(readByFish(quoted) ?? 'rejected').toBe(isVisible(word) ? word : 'rejected')
  }
})

test('[SE350] every command that is shown consists of such words', () => {
  for (const word of hostile) {
    expect(fixCommand('/store.db', word)).toBe(`antiphon doctor --fix /store.db --session ${shellWord(word)}`)
    expect(fixCommand(`/a${word}b`, 'id')).toBe(`antiphon doctor --fix ${shellWord(`/a${word}b`)} --session id`)
    const address = `postgres://host/${word}`
    expect(undoCommand('/kept', address)).toBe(`antiphon doctor --restore /kept ${shellWord(address)}`)
    expect(commandFor('chat.json', 'openai', word)).toContain(`--model ${shellWord(word)} >`)
  }
})

test('[SE350] a backup of others cannot put a command into the hint that names its server', () =>
  inFolder(async folder => {
    const path = 'postgres://host/$(touch pwned);touch pwned'
    mkdirSync(folder, { recursive: true })
    const manifest = { antiphon: 1, system: 'instatic', path, made: new Date(0).toISOString(), files: [], folders: [] }
    writeFileSync(join(folder, 'backup.json'), JSON.stringify(manifest))
    await expect(restore(folder, systems)).rejects.toMatchObject({
      hint: expect.stringContaining(`antiphon doctor --restore ${shellWord(folder)} '${path}'`),
    })
  }))

test('[SE351] the command for one session names it, also if its id is a part of the path', () => {
  expect(fixCommand('/threads1.db', '1')).toBe('antiphon doctor --fix /threads1.db --session 1')
  expect(fixCommand('/threads1.db', '')).toBe("antiphon doctor --fix /threads1.db --session ''")
})
