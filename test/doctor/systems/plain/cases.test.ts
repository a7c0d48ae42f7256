import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { plainFiles } from '../../../../src/doctor/systems/plain/index.ts'
import { codecs } from '../../../laws/history.ts'
import type { Codec } from '../../../laws/plan.ts'
import { healSample } from '../../contract.ts'
import { healText } from '../../heal-text.ts'
import { generate, kindOf } from './generate.ts'
import { messagesIn, refusalOf } from './request.ts'

const sample = (name: string): string => join(import.meta.dirname, 'samples', name)
const textOf = (path: string): string => readFileSync(path, 'utf8')
const unknown = '[no result] No result of this call was recorded. Whether it ran is not known.'

describe('samples of plain files', () => {
  test.each([
    ['list', 'json', 'openai-chat'],
    ['body', 'json', 'openai-chat'],
    ['lines', 'jsonl', 'openai-chat'],
    ['anthropic', 'json', 'anthropic'],
  ] as [string, string, Codec][])(
    '[DP1] %s: broken is diagnosed, and repaired to the expected result',
    async (name, kind, codec) => {
      const [before, after] = [sample(`${name}-broken.${kind}`), sample(`${name}-healed.${kind}`)]
      expect(refusalOf(messagesIn(readFileSync(before)), codec)).toBeDefined()
      await healSample(plainFiles, before, (path, [{ examination }]) => {
        expect(examination.state).toBe('broken')
        expect(examination.counts.unanswered).toBe(1)
        expect(textOf(path)).toBe(textOf(after))
        expect(refusalOf(messagesIn(readFileSync(path)), codec)).toBeUndefined()
      })
    },
  )

  test('[DP2] a healthy file comes back byte for byte', async () => {
    await healSample(plainFiles, sample('list-healthy.json'), (path, [{ examination }]) => {
      expect(examination.state).toBe('healthy')
      expect(readFileSync(path).equals(readFileSync(sample('list-healthy.json')))).toBe(true)
    })
  })

  test('[DP2] every codec is known in every form', async () => {
    for (let seed = 0; seed < codecs.length * 3; seed++) {
      const [[name, bytes]] = [...generate(seed)]
      const { text, examination } = await healText(plainFiles, name, bytes)
      expect(['healthy', 'pending'], JSON.stringify(kindOf(seed))).toContain(examination.state)
      expect(text).toBe(bytes.toString())
    }
  })
})

const user = (content: string) => ({ role: 'user', content })
const step = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map(id => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
})
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content })
const lines = (...messages: (object | string)[]): string =>
  messages.map(message => (typeof message === 'string' ? message : JSON.stringify(message))).join('\n')

describe('plain files', () => {
  test('[DP3] calls at the end that nothing will answer get a placeholder; assistant text may be last', async () => {
    const { text } = await healText(plainFiles, 'c.json', JSON.stringify([user('go'), step('a')]))
    expect(JSON.parse(text)[2]).toEqual(result('a', unknown))
    const done = JSON.stringify([user('go'), { role: 'assistant', content: 'ok' }])
    expect((await healText(plainFiles, 'c.json', done)).text).toBe(done)
  })

  test('[DP4] lines that are not JSON stay where they are, with a note', async () => {
    const before = lines(user('go'), '', step('a'), 'oops', user('on'), result('a', 'A'), '# end')
    const { text, examination } = await healText(plainFiles, 'c.jsonl', before)
    expect(text).toBe(lines(user('go'), '', step('a'), result('a', 'A'), 'oops', user('on'), '# end'))
    expect(examination.notes).toEqual(['2 lines are not JSON and stay as they are, the first is line 4'])
  })

  test('[DP4] a truncated last line is such a line', async () => {
    const before = lines(user('go'), step('a'), '{"role": "tool", "tool_ca')
    const { text } = await healText(plainFiles, 'c.jsonl', before)
    expect(text).toBe(lines(user('go'), step('a'), result('a', unknown), '{"role": "tool", "tool_ca'))
  })

  test.each([
    ['an empty file', 'c.json', '', /the file is empty/],
    ['JSON that was cut', 'c.json', '[{"role": "user", "content": "a"}, {"role": ', /c\.json:1:/],
    ['a document of no messages', 'c.json', '{"name": "x", "version": "1.0.0"}', /it is not a store of plain/],
    ['a list of no messages', 'c.json', '[1, 2, 3]', /it is not a store of plain/],
    ['a list of people', 'c.json', '[{"id": 1, "name": "A", "role": "user"}]', /it is not a store of plain/],
    ['a log of lines', 'c.jsonl', '{"role": "user", "message": "x"}\n{"role": "user"}\n', /it is not a store of plain/],
    ['a log of results', 'c.jsonl', '{"type": "function_call_output"}\n{"type": "x"}\n', /it is not a store of plain/],
    ['text', 'c.txt', 'hello', /it is not a store of plain/],
    [
      'bytes that are not text',
      'c.json',
      Buffer.concat([Buffer.from('[{"role": "user", "content": "'), Buffer.from([0xff]), Buffer.from('"}]')]),
      /it is not UTF-8/,
    ],
  ])('[DP5] %s is one clear line', async (_, name, content, words) => {
    await expect(healText(plainFiles, name, content)).rejects.toThrow(words)
  })

  test('[DP6] a file whose first message is longer than what is looked at is known all the same', async () => {
    const long = user('x'.repeat(100_000))
    const { text } = await healText(plainFiles, 'c.jsonl', lines(long, step('a'), user('on')))
    expect(text).toBe(lines(long, step('a'), result('a', unknown), user('on')))
    const list = await healText(plainFiles, 'c.json', JSON.stringify([long, step('a'), user('on')]))
    expect(list.text).toBe(JSON.stringify([long, step('a'), result('a', unknown), user('on')]))
  })
})
