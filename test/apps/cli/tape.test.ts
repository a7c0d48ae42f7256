import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { startStrict } from '../../../src/strict/index.ts'
import { interrupted, recording } from '../../observe/tape/recording.ts'
import { root } from '../../repository.ts'
import { antiphon, folder, lines } from './program.ts'

/** A folder with a tape of a conversation that went wrong. */
function recorded(redact = true): { cwd: string } {
  const { tape, text } = recording({ redact })
  interrupted(tape)
  return { cwd: folder({ 'chat.tape': text() }) }
}

test('[C38] `tape show` and `tape replay` are commands of the program', async () => {
  const here = recorded()
  const [shown, replayed, help] = await Promise.all([
    antiphon(['tape', 'show', 'chat.tape'], here),
    antiphon(['tape', 'replay', '--request', '2', 'chat.tape'], here),
    antiphon(['tape', 'show', '--help']),
  ])
  expect(shown).toMatchObject({ code: 1, stderr: '' })
  expect(shown.stdout).toContain('here the history is malformed for the first time')
  expect(replayed).toMatchObject({ code: 1, stderr: '' })
  expect(replayed.stdout).toMatch(/^request 2 rejected by anthropic, 400: messages\.1: `tool_use` ids were found/)
  expect(help.stdout).toMatch(/Examples:[\s\S]*Exit codes:/)
})

test('[C39] `check`, `heal` and `shrink` read the first malformed request of a tape, for whom it was sent to', async () => {
  const here = recorded()
  const [checked, json, healed, shrunk, piped] = await Promise.all([
    antiphon(['check', 'chat.tape'], here),
    antiphon(['check', '--json', 'chat.tape'], here),
    antiphon(['heal', '--json', 'chat.tape'], here),
    antiphon(['shrink', 'chat.tape'], here),
    antiphon(['check', '--json'], { input: readFileSync(join(here.cwd, 'chat.tape')) }),
  ])
  expect(checked.code).toBe(1)
  expect(checked.stdout).toContain(
    'error[unanswered-call]: call toolu_01 of bash has no result\n  --> chat.tape, request 2',
  )
  expect(checked.stdout).toContain('1 error for anthropic (format anthropic)')
  expect(JSON.parse(json.stdout)).toMatchObject({ file: 'chat.tape', for: 'anthropic' })
  expect(JSON.parse(piped.stdout)).toMatchObject({ file: '-', for: 'anthropic' })
  expect(JSON.parse(healed.stderr)).toMatchObject({ file: 'chat.tape', changed: true })
  expect(JSON.parse(healed.stdout)).toMatchObject({ model: 'claude-sonnet-4-5', messages: { length: 4 } })
  expect(JSON.parse(shrunk.stdout)).toHaveLength(1)
  expect(lines(shrunk.stderr)).toEqual([
    '3 messages -> 1, still unanswered-call at messages[0].content[0]',
    'check it with: antiphon check --for anthropic --model claude-sonnet-4-5',
  ])
})

test('[C39] the reader that is asked for goes before the one of the tape', async () => {
  const { stdout } = await antiphon(['check', '--for', 'minimax', 'chat.tape'], recorded())
  expect(stdout).toContain('for minimax (format anthropic)')
})

test('[C40] a tape is not rewritten: that is one line and exit code 2', async () => {
  const here = recorded()
  const file = join(here.cwd, 'chat.tape')
  const before = readFileSync(file)
  const { code, stdout, stderr } = await antiphon(['heal', '--write', 'chat.tape'], here)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(lines(stderr)).toEqual([
    'antiphon: chat.tape, request 2: a tape cannot be rewritten (omit --write to print the repaired request)',
  ])
  expect(readFileSync(file).equals(before)).toBe(true)
  expect(existsSync(`${file}.bak`)).toBe(false)
  expect(await antiphon(['heal', '--write', '--dry-run', 'chat.tape'], here)).toMatchObject({ code: 0, stdout: '' })
})

test('[C41] ANTIPHON_TAPE turns the recorder on in a program that does not know of it', async () => {
  await using strict = await startStrict({ provider: 'openai' })
  const cwd = folder({
    'agent.ts': `
      import { healFetch } from ${JSON.stringify(pathToFileURL(join(root, 'src/integrations/fetch/index.ts')).href)}
      import { openJournal } from ${JSON.stringify(pathToFileURL(join(root, 'src/journal/index.ts')).href)}
      const journal = await openJournal('memory:')
      await journal.thread('ada', { for: 'openai' }).submit('Hi.')
      const messages = [{ role: 'user', content: 'Hi.' }, { role: 'tool', tool_call_id: 'call_1', content: 'a cat' }]
      const body = JSON.stringify({ model: 'gpt-5', messages })
      await (await healFetch()('${strict.url}/v1/chat/completions', { method: 'POST', body })).text()
    `,
  })
  const child = spawn(process.execPath, ['agent.ts'], { cwd, env: { ...process.env, ANTIPHON_TAPE: 'chat.tape' } })
  expect((await once(child, 'exit'))[0]).toBe(0)
  const { code, stdout } = await antiphon(['tape', 'show', 'chat.tape'], { cwd })
  expect(code).toBe(1)
  expect(stdout).toMatch(/^chat\.tape: 1 request, \d calls?, redacted\n/)
  expect(stdout).toMatch(
    /input\n.*request 1 .*\n.*\n.*repaired before it was sent: orphan-result\n.*request 1 accepted 200/,
  )
})
