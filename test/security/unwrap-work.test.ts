import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { requestsIn } from '../../src/apps/cli/input/request-lines.ts'
import { readCurl } from '../../src/apps/unwrap/read-curl.ts'
import { LiteralError, readLiteral } from '../../src/apps/unwrap/read-literal.ts'
import { unwrap } from '../../src/apps/unwrap/unwrap.ts'

const folder = mkdtempSync(join(tmpdir(), 'antiphon-unwrap-'))
afterAll(() => rmSync(folder, { recursive: true }))

const history = [{ role: 'user', content: 'hi' }]

describe('[SE170] a history is taken out of a text in time proportional to its length', () => {
  test('each line of a here-document is read for one command', () => {
    const commands = readCurl('curl a -d @- <<E\n'.repeat(3))
    expect(commands).toEqual([{ kind: 'a curl command', url: 'a', body: 'curl a -d @- <<E\n'.repeat(2) }])
    const two = 'curl a -d @- <<E\n1\nE\ncurl b -d @- <<E | jq\ncurl c\nE\ncurl d -d 4'
    expect(readCurl(two).map(({ url, body }) => [url, body?.trim()])).toEqual([
      ['a', '1'],
      ['b', 'curl c'],
      ['d', '4'],
    ])
  })

  test('[SE464] what is before a pipe is read a bounded number of times', () => {
    const open = 'echo $(cat <<E\n'
    const count = 5_000
    const commands = readCurl(`${open.repeat(90)}curl a -d b\n`.repeat(count))
    expect(commands).toHaveLength(count)
    expect(readCurl("echo '{}' | curl a -d @-")).toMatchObject([{ url: 'a', body: '{}' }])
  })

  test('[SE464] one value in very many commands is given out a bounded number of times', () => {
    const value = 'x'.repeat(100_000)
    const commands = readCurl(`B='${value}'\n${'curl a -d "$B"\n'.repeat(10_000)}`)
    expect(commands[0]).toMatchObject({ url: 'a', body: value })
    expect(commands.at(-1)).toMatchObject({ url: 'a', body: undefined, variable: 'B' })
    expect(commands.filter(({ body }) => body !== undefined).length).toBeLessThan(12)
  })

  test('[SE464] a value that is its own text is read once', () => {
    const date = 'datetime.datetime(2026, 1, 2, other)'
    expect(unwrap(date)).toBeUndefined()
    expect(unwrap(`[{"role": "user", "content": ${date}}]`)).toMatchObject({ found: [{ value: [{ content: date }] }] })
  })

  test('[SE465] quoted text that looks like a value without an end is read a bounded number of times', () => {
    const open = "'{'a'/*'".repeat(100_000)
    expect(readCurl(`curl a -d ${open}`)).toMatchObject([{ body: '{a/*'.repeat(100_000) }])
    expect(readCurl(`curl a -d '{'a'/*'\n`.repeat(50_000)).length).toBe(10_001)
    expect(readCurl("curl a -d '{'model': 'gpt-5'}'")).toMatchObject([{ body: "{'model': 'gpt-5'}" }])
  })

  test('[SE465] fields that the text does not contain are left out in linear time, and ten of them are named', () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `'k${index}': v${index}`)
    const result = unwrap(`{'messages': [{'role': 'user', 'content': 'hi'}], ${names.join(', ')}}`)
    expect(result).toMatchObject({ found: [{ value: { messages: history } }] })
    expect((result as { problem: string }).problem).toMatch(/^without k0, k1,.* k9 and 99990 more: line 1/)
  })

  test('[SE464] variables that are set nowhere, or whose values have no end, are looked up in linear time', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `V${index}`)
    const used = names.map(name => `curl a -d "$${name}"\n`).join('')
    expect(readCurl(used.repeat(3)).every(({ variable }) => variable !== undefined)).toBe(true)
    const open = names.map(name => `${name}=$(cat <<E\n`).join('')
    expect(readCurl(used + open)).toHaveLength(names.length)
  })

  test.each([
    ['a string without an end', '"abc'],
    ['a string that does not end on its line', '"abc\n'],
    ['a template with values', ['`abc$', '{x}`'].join('')],
    ['bytes that are not UTF-8', String.raw`b'\xff'`],
    ['a number that is not one', '123abc'],
  ])('an attempt costs what it has read: %s', (_name, text) => {
    const before = '('.repeat(20)
    const error = thrownBy(() => readLiteral(before + text, 0))
    expect(error).toBeInstanceOf(LiteralError)
    expect((error as LiteralError).end - before.length).toBeGreaterThanOrEqual(3)
  })

  test.each([`'\\''[`, `'['\\''`, `'"'"'[{`, `x '[{"a":'\\''`])(
    '[SE685] any number of quotes of a shell that hold nothing end in an answer: %s',
    piece => {
      expect(unwrap(`x ${piece.repeat(100_000)}`)).toMatchObject({ problem: expect.any(String) })
    },
  )

  test('what was not searched is said', () => {
    const text = `x = ${JSON.stringify(history)}\n${'('.repeat(100)}"${'x'.repeat(100_000)}\ny = ${JSON.stringify(history)}`
    const result = unwrap(text)
    expect(result).toMatchObject({ found: [{ at: 'line 1' }], problem: 'it was not searched after line 2' })
  })

  test('[SE296] brackets around mere words cost nothing: a history after any number of them is found', () => {
    const text = `${'[a] [b] x\n'.repeat(200_000)}${JSON.stringify(history)}`
    expect(unwrap(text)).toMatchObject({ found: [{ at: 'line 200001' }] })
  })

  test.each(['(', 'a(', 'x(['])('[SE296] a search that is given up again and again ends, and says so: %s', piece => {
    expect(unwrap(piece.repeat(400_000))).toMatchObject({ problem: 'it was not searched after line 1' })
  })

  test('a search that ends after many strings without a history says so', () => {
    const text = `x = ${JSON.stringify(history)}\n${"r'[{'\n".repeat(2_000)}y = ${JSON.stringify(history)}`
    const result = unwrap(text)
    expect(result).toMatchObject({
      found: [{ at: 'line 1' }],
      problem: expect.stringMatching(/^it was not searched after line \d+$/),
    })
  })

  test('the histories of one line are put back in one pass', async () => {
    const count = 50
    const bytes = Buffer.from(
      JSON.stringify({ log: JSON.stringify(Array.from({ length: count }, () => ({ a: history }))) }),
    )
    let parsed = 0
    const parse = (text: string): unknown => {
      if (text.length > 500) parsed++
      return JSON.parse(text)
    }
    async function* lines() {
      yield { number: 1, bytes, bytesRead: bytes.length }
    }
    let after = ''
    for await (const one of requestsIn({ name: 'x.jsonl', lines: lines() }, {}, parse))
      if ('history' in one) one.foundIn?.replace?.([{ role: 'user', content: 'bye' }])
      else after = one.bytes.toString()
    expect(JSON.parse(JSON.parse(after).log)).toEqual(
      Array.from({ length: count }, () => ({ a: [{ role: 'user', content: 'bye' }] })),
    )
    expect(parsed).toBeLessThan(5)
  })
})

test('[SE129] a list of any number of histories is found in a text', () => {
  const result = unwrap(`x = [${`${JSON.stringify(history)},`.repeat(150_000)}]`)
  expect(result && 'found' in result && result.found.length).toBe(150_000)
})

test.each([
  ['a word of a curl command', `curl http://h/${'a'.repeat(12_000_000)}`],
  ['the body of a PowerShell command', `Invoke-WebRequest -Uri http://h/ -Body "${'a'.repeat(12_000_000)}"`],
])('[SE171] %s needs memory in proportion to its length', (_name, text) => {
  const file = join(folder, 'text')
  writeFileSync(file, text)
  const source = new URL('../../src/apps/unwrap/unwrap.ts', import.meta.url)
  const code = `import { readFileSync } from 'node:fs'
    import { unwrap } from ${JSON.stringify(source.href)}
    console.log(Object.keys(unwrap(readFileSync(${JSON.stringify(file)}, 'utf8'))).join())`
  const { stdout } = spawnSync(process.execPath, ['--max-old-space-size=120', '--input-type=module', '-e', code])
  expect(stdout.toString().trim()).toBe('problem,hint')
})

function thrownBy(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
