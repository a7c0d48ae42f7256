import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { heal } from '../../../src/heal/heal.ts'
import { call, healthy, json, jsonl, mixed, orphan, pretty, repeated, result, unanswered, user } from './histories.ts'
import { antiphon, folder, lines } from './program.ts'

describe.concurrent('heal', () => {
  test('[C14] the history goes to standard output, the report to standard error', async () => {
    const { code, stdout, stderr } = await antiphon(['heal'], { input: pretty(mixed) })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(heal(mixed))
    expect(stderr).toContain(`repaired[orphan-result]: no call has the id call_lost of this result
  --> <stdin>  messages[7]   "nobody asked"
   = repair: insert a call before it (synthetic)
`)
    expect(lines(stderr).slice(-2)).toEqual([
      '<stdin>: 2 repairs for openai (format openai-chat)',
      '4 calls, 4 results, 1 orphan, 1 unanswered -> 5 calls, 5 results, 0 orphans, 0 unanswered',
    ])
  })

  test('[C14] --json makes the report an object', async () => {
    const { stderr } = await antiphon(['heal', '--json'], { input: json(mixed) })
    const report = JSON.parse(stderr)
    expect(report).toMatchObject({ file: '-', format: 'openai-chat', for: 'openai', changed: true, remaining: [] })
    expect(report.repairs.map(({ rule, class: sort }: { rule: string; class: string }) => [rule, sort])).toEqual([
      ['orphan-result', 'synthetic'],
      ['unanswered-call', 'synthetic'],
    ])
    expect(report.counts.after).toEqual({ calls: 5, results: 5, orphans: 0, unanswered: 0 })
  })

  test('[C15] a healthy input comes back byte for byte, however it is written', async () => {
    const texts = [
      '\ufeff[ {"role":"user","content":"\\u0041\\/"}\r\n ,{"role":"assistant","content":"1.0"}]  \n\n',
      `\n${jsonl(repeated)}\n\n${json(user('no line break at the end'))}`,
      '{"input":"Find me a flight.","n":1.0}',
      '[]',
    ]
    const healed = await Promise.all(texts.map(input => antiphon(['heal'], { input })))
    expect(healed.map(({ stdout }) => stdout)).toEqual(texts)
    expect(healed.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  })

  test('[C15] in a broken one, everything but the repair stays byte for byte', async () => {
    const before = '{\r\n\t"model": "m", "seed": 1.0,\r\n\t"messages": ['
    const odd = '{"role":"user",  "content":"\\u0041", "n": 1.0}'
    const open = json(call('call_1'))
    const behind = ' ],\r\n\t"temperature": 1e0 }\r\n'
    const input = `\ufeff${before}\r\n\t\t${odd},\r\n\t\t${open},\r\n\t\t${odd}${behind}`
    const { stdout } = await antiphon(['heal'], { input })
    const [placeholder] = heal([user('A'), call('call_1'), user('A')]).slice(2)
    expect(stdout).toBe(
      `\ufeff${before}\r\n\t\t${odd},\r\n\t\t${open},\r\n\t\t${json(placeholder)},\r\n\t\t${odd}${behind}`,
    )
  })

  test.each([
    ['two spaces', 2],
    ['four spaces', 4],
    ['tabs', '\t'],
    ['nothing', undefined],
  ])('[C15] what is new is laid out as the rest: %s', async (_, indent) => {
    const input = JSON.stringify({ model: 'm', messages: unanswered, stop: null }, null, indent)
    const { stdout } = await antiphon(['heal'], { input })
    expect(stdout).toBe(JSON.stringify({ model: 'm', messages: heal(unanswered), stop: null }, null, indent))
  })

  test('[C15] a list in the manner of Python stays one', async () => {
    const spaced = (value: unknown): string =>
      JSON.stringify(value, null, 1).replace(/,\n */g, ', ').replace(/\n */g, '')
    const { stdout } = await antiphon(['heal'], { input: spaced(unanswered) })
    expect(stdout).toBe(spaced(heal(unanswered)))
  })

  test('[C15] lines stay lines, untouched ones and the end of the file as they were', async () => {
    const [first, open, last] = unanswered.map(json)
    const odd = first.replace(':', ' :  ')
    const placeholder = json(heal(unanswered)[2])
    const [broken, unended] = await Promise.all([
      antiphon(['heal'], { input: `${odd}\r\n\r\n${open}\r\n${last}\r\n` }),
      antiphon(['heal'], { input: `${odd}\n${open}` }),
    ])
    expect(broken.stdout).toBe(`${odd}\r\n\r\n${open}\r\n${placeholder}\r\n${last}\r\n`)
    expect(unended.stdout).toBe(`${odd}\n${open}\n${placeholder}`)
  })

  test('[C16] numbers of any length survive in a message that is repaired', async () => {
    const long = '12345678901234567890.10'
    const input = `[{"role":"user","content":"Go."},
      {"role":"assistant","content":[{"type":"text","text":""},{"type":"tool_use","id":"t1","name":"f","input":{"n":${long},"big":1e400,"short":1.5}}]},
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}]`
    const { stdout, stderr } = await antiphon(['heal', '--format', 'anthropic'], { input })
    expect(stderr).toContain('repaired[blank-text]')
    expect(stdout).toContain(`{"n":${long},"big":1e400,"short":1.5}`)
  })

  test('[C20] a dry run says what would be done, and never that it was', async () => {
    const cwd = folder({ 'chat.json': json([user('Go.'), { role: 'tool', tool_call_id: 'gone', content: 'real' }]) })
    const { stdout, stderr } = await antiphon(['heal', '--dry-run', 'chat.json'], { cwd })
    expect(stdout).toBe('')
    expect(stderr).toContain('would repair[orphan-result]: ')
    expect(stderr).toMatch(/\n {3}= would: /)
    expect(stderr).toMatch(/\nchat.json: 1 repair for .* would be made.*; nothing was written\n/)
    expect(stderr).toMatch(/ would become /)
    expect(stderr).not.toMatch(/repaired|done|dropped| -> /)
  })

  test('[C17] several histories are not written to one output', async () => {
    const cwd = folder({ 'a.json': json(unanswered), 'b.json': json(unanswered) })
    const { code, stdout, stderr } = await antiphon(['heal', 'a.json', 'b.json'], { cwd })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^antiphon: cannot write several histories to one output \(.*--write.*\)\n$/)
  })

  test('[C20] --dry-run only reports, also with --write and of several files', async () => {
    const cwd = folder({ 'a.json': json(unanswered), 'b.json': json(healthy) })
    const { code, stdout, stderr } = await antiphon(['heal', '--dry-run', '--write', 'a.json', 'b.json'], { cwd })
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toContain('a.json: 1 repair for openai')
    expect(stderr).toContain('b.json: nothing to repair for openai')
    expect(readdirSync(cwd)).toEqual(['a.json', 'b.json'])
    expect(readFileSync(join(cwd, 'a.json'), 'utf8')).toBe(json(unanswered))
  })

  test('[C21] the choices of a caller count, and an error that remains is exit code 1', async () => {
    const input = json(orphan)
    const [drop, lossless, quote, running, repeats] = await Promise.all([
      antiphon(['heal', '--orphans', 'drop'], { input }),
      antiphon(['heal', '--allow', 'lossless, lossy'], { input }),
      antiphon(['heal', '--orphans', 'quote'], { input }),
      antiphon(['heal', '--pending-calls', 'call_1,call_2'], { input: json(unanswered) }),
      antiphon(['heal', '--repeats', 'drop'], { input: json(repeated) }),
    ])
    expect(JSON.parse(drop.stdout)).toEqual(heal(orphan, { orphans: 'drop' }))
    expect(JSON.parse(quote.stdout)).toEqual(heal(orphan, { orphans: 'quote' }))
    expect(JSON.parse(running.stdout)).toEqual(heal(unanswered, { pendingCalls: ['call_1'] }))
    expect(JSON.parse(repeats.stdout)).toEqual(heal(repeated, { repeats: 'drop' }))
    expect(lossless).toMatchObject({ code: 1, stdout: input })
    expect(lossless.stderr).toContain('error[orphan-result]')
    expect(lossless.stderr).toContain('nothing repaired, 1 error left for openai')
  })

  test('[C21] --for and --format reach the healing', async () => {
    const history = [user('Hi.'), call('call-1'), result('call-1')]
    const { code, stdout } = await antiphon(['heal', '--for', 'mistral', '--format', 'openai-chat'], {
      input: json(history),
    })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(heal(history, { for: 'mistral' }))
    expect(stdout).not.toContain('call-1')
  })
})
