import { describe, expect, test } from 'vitest'
import { unwrap } from '../../src/apps/unwrap/unwrap.ts'
import { readTexts } from '../../src/apps/viewer/page/drop/read-text.ts'
import { openFound } from '../../src/apps/viewer/sources/found-source.ts'
import { AntiphonError } from '../../src/core/errors.ts'

const url = 'https://api.openai.com/v1/chat/completions'
const history = [{ role: 'user', content: 'hi' }]
const body = JSON.stringify({ model: 'gpt-5', messages: history })
const cut = "{'messages': [{'role': 'user', 'content': [Object]}]}"
const named = `{'model': MODEL, 'messages': ${JSON.stringify(history)}}`
const fence = (text: string): string => `\`\`\`\n${text}\n\`\`\`\n`
const log = (text: string): string => JSON.stringify({ log: `sending ${text}` })

describe('[SE469] a part of a pasted text that cannot be read is named, also if histories were found in others', () => {
  test.each([
    ['a block of Markdown', `${fence(body)}and\n${fence(cut)}`, 1, /^block 2: .*left out a value/],
    [
      'a block that breaks off',
      `${fence(body)}and\n${fence(body.slice(0, -9))}`,
      1,
      /^block 2: a value cannot be read/,
    ],
    ['a field in a block', `${fence(body)}and\n${fence(named)}`, 2, /^block 2: without model: .*MODEL is a name/],
    ['a log record', `${log(body)}\n${log(cut)}`, 1, /^line 2: log: .*left out a value/],
    ['a field in a log record', `${log(body)}\n${log(named)}`, 2, /^line 2: log: without model/],
    ['one of a list of records', `[${log(body)},${log(cut)}]`, 1, /^\[1\]\.log: .*left out a value/],
    [
      'one of several commands',
      `curl ${url} -d '${body}'\ncurl ${url} -d '${body.slice(0, -9)}'`,
      1,
      /^command 2: .*is not JSON/,
    ],
    ['a variable in a command', `curl ${url} -d '${body}'\ncurl ${url} -d "$BODY"`, 1, /^command 2: .*variable BODY/],
    [
      'a command on the line of another one',
      `curl ${url} -d '${body}' && curl ${url} -d '${body}'; curl ${url} -d '${body.slice(0, -9)}'; # curl ${url} -d '${body}'`,
      2,
      /^command 3: .*is not JSON/,
    ],
    ['a file of a command', `curl ${url} -d '${body}'\ncurl ${url} -d @body.json`, 1, /^command 2: .*in another file/],
  ])('%s', (_name, text, count, problem) => {
    const result = unwrap(text)
    if (!result || !('found' in result)) throw new Error(JSON.stringify(result))
    expect(result.found.map(({ value }) => value)).toHaveLength(count)
    expect(result.problem).toMatch(problem)
  })

  test.each([
    ['blocks', fence(body).repeat(1_001), 1_000, 'it was not searched after block 1000'],
    ['commands', `curl ${url} -d '${body}'\n`.repeat(10_001), 10_000, 'it was not read after command 10000'],
    ['log records', `[${`${log(body)},`.repeat(10_001)}0]`, 10_000, 'it was not searched after [10000].log'],
  ])('more %s than are read', (_name, text, count, problem) => {
    const result = unwrap(text)
    if (!result || !('found' in result)) throw new Error(JSON.stringify(result))
    expect(result.found).toHaveLength(count)
    expect(result.problem).toBe(problem)
  })

  test.each([
    ['code', `${fence(body)}\n${fence('const x = [...list, { a: 1 }]')}`],
    [
      'a command that sends something else',
      `curl ${url} -d '${body}'\ncurl ${url}/models\ncurl ${url} -d '{"query":"x"}'`,
    ],
    ['a log record of something else', `${log(body)}\n${log('[Object]')}`],
  ])('nothing is said of what holds no history: %s', (_name, text) => {
    expect(unwrap(text)).toMatchObject({ found: [{}] })
    expect(unwrap(text)).not.toHaveProperty('problem')
  })

  test('the viewer shows it with the name of the history', async () => {
    const text = `${fence(body)}and\n${fence(cut)}`
    const [dropped] = readTexts('chat.md', text)
    expect(dropped).toHaveProperty('name', expect.stringMatching(/block 1; block 2: .*left out a value/))
    const source = { id: '1', name: 'chat.md' } as never
    const opened = openFound(source, { name: 'chat.md', text } as never, {}, new AntiphonError('unreadable', 'x'))
    const [document] = ((await opened.document('1', {} as never)) ?? []) as string[]
    expect(JSON.parse(String(document)).name).toMatch(/block 1; block 2: .*left out a value/)
  })
})
