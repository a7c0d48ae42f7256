import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unwrap } from '../../src/apps/unwrap/unwrap.ts'

const url = 'https://api.openai.com/v1/chat/completions'

/** What a command, a text or an answer may have in it, and what a shell, a browser or Node writes in another way. */
const words = [
  ...['git show HEAD^', '^', '2^"3"', "it's", '$HOME', '$([char]65)', '`ls`', '%PATH%', '!x', '"', '""', "'''"],
  ...['line\nbreak', 'cr\r\nlf', 'C:\\new\\table', '\\', '\\u0041', 'é', '你好', '😀', '\u2028', '\u001b[31m', ' + '],
  ...['a&b|c;d', '{"x":[1]}', '# no comment', '// nor this', `${'word '.repeat(40)}\n${'word '.repeat(40)}`],
]

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** How Chrome and Firefox quote for bash. */
const posix = (text: string): string =>
  /[\p{Cc}!']/u.test(text) ? `$'${text.replace(/[\\']/g, '\\$&').replace(/[\p{Cc}!]/gu, escaped)}'` : `'${text}'`
const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const withCarets = (text: string): string =>
  text
    .replace(/[^a-zA-Z0-9\s_\-:=+~'/.,?;()*`]/g, '^$&')
    .replace(/%(?=[a-zA-Z0-9_])/g, '%^')
    .replace(/\r?\n/g, '^\n\n')
const chromePrompt = (text: string): string => `^"${withCarets(text.replaceAll('\\', '\\\\').replaceAll('"', '\\"'))}^"`
const firefoxPrompt = (text: string): string =>
  `^"${withCarets(text.replaceAll('\\', '\\\\').replaceAll('"', '""').replace(/[`$]/g, '\\$&'))}^"`
const plainPrompt = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`
const powerShell = (text: string): string =>
  `"${text.replace(/[`$"]/g, '`$&').replace(/[^\x20-\x7e]/g, character => `$([char]${character.charCodeAt(0)})`)}"`

const curl = (quote: (text: string) => string, body: unknown, join = ' \\\n', data = JSON.stringify(body)): string =>
  ['curl', quote(url), '-H', quote('content-type: application/json'), '--data-raw', quote(data)].join(join)

const kinds: readonly (readonly [name: string, copy: (body: unknown) => string])[] = [
  ['curl for bash', body => curl(posix, body)],
  ['curl in single quotes', body => curl(single, body)],
  ['curl in single quotes, on several lines', body => curl(single, body, ' ', JSON.stringify(body, null, 2))],
  ['curl with a here-document', body => `curl ${url} -d @- <<'EOF'\n${JSON.stringify(body, null, 2)}\nEOF\n`],
  ['curl of Chrome for the command prompt', body => curl(chromePrompt, body, ' ^\r\n')],
  ['curl of Firefox for the command prompt', body => curl(firefoxPrompt, body, ' ^\n')],
  ['curl in double quotes for the command prompt', body => curl(plainPrompt, body, ' ^\n')],
  ['PowerShell', body => `Invoke-WebRequest -Uri "${url}" -Body ${powerShell(JSON.stringify(body))}`],
  ['a value printed by Node', body => inspect(body, { depth: null, maxStringLength: null })],
]

test.each(kinds)('[SE432] %s keeps every character', (_, copy) => {
  const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map(parts => parts.join(' '))
  fc.assert(
    fc.property(text, text, text, (question, command, output) => {
      const body = {
        model: 'claude-sonnet-4-5',
        messages: [
          { role: 'user', content: question },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'sh', input: { command } }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: output }] },
        ],
      }
      expect(unwrap(copy(body))).toMatchObject({ found: [{ value: body }] })
    }),
    { numRuns: 300, seed: 1 },
  )
})

test('[SE432] several commands for the command prompt keep every character', () => {
  const body = { model: 'gpt-5', messages: [{ role: 'user', content: 'git show HEAD^ says "é"' }] }
  const text = [0, 1].map(() => curl(firefoxPrompt, body, ' ^\n')).join(' &\n')
  expect(unwrap(text)).toMatchObject({ found: [{ value: body }, { value: body }] })
})

describe('[SE685] a history in the single quotes of a shell keeps its quotes, wherever its command is', () => {
  const body = { model: 'gpt-5', messages: [{ role: 'user', content: "it's \"C:\\new\", don't\nsay 'x'" }] }
  const joined = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`
  const command = (quote: (text: string) => string, space?: number): string =>
    `curl ${url} -d ${quote(JSON.stringify(body, null, space))}`
  const places: readonly (readonly [name: string, place: (command: string) => string])[] = [
    ['after a prompt with a name', text => `(venv) me@host:~/dir$ ${text}\n{"error":{"message":"no"}}`],
    ['after a prompt with a folder', text => `~/dir $ ${text}`],
    ['after a prompt with a sign', text => `➜  dir git:(main) ✗ ${text}`],
    ['in a trace of bash', text => `+ ${text}\n+ jq .`],
    ['in a sentence', text => `I get a 400 with ${text} every time.`],
    ['in another command', text => `docker exec -it app ${text} | jq .`],
    ['in the quotes of another command', text => `bash -c ${single(text)}`],
    ['of another program', text => text.replace('curl', 'jq -n')],
  ]

  test.each(places)('%s', (_name, place) => {
    for (const quote of [single, joined])
      for (const space of [undefined, 2])
        expect(unwrap(place(command(quote, space)))).toMatchObject({ found: [{ value: body }] })
  })

  test('the address after a prompt counts', () => {
    expect(unwrap(`me@host:~$ ${command(single)}`)).toMatchObject({ kind: 'a curl command', found: [{ url }] })
  })

  test('one that cannot be read for certain is refused', () => {
    const text = `run '[{"role":"user","content":"it'\\''s"}]+more'`
    const nested = `ssh host ${single(`bash -c ${single(command(single))}`)}`
    for (const one of [text, nested])
      expect(unwrap(one)).toEqual({ problem: expect.stringContaining('quotes of a shell') })
  })
})
