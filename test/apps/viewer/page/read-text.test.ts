import { expect, test } from 'vitest'
import { readText, readTexts } from '../../../../src/apps/viewer/page/drop/read-text.ts'
import { interrupted, recording } from '../../../observe/tape/recording.ts'
import { body as pasted, requests, series } from '../../unwrap/kinds.ts'

const messages = [
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: 'hi' },
]
const list = JSON.stringify(messages)
const lines = messages.map(message => JSON.stringify(message)).join('\n')
const body = { model: 'gpt-5', messages }

test.each([
  ['a list', list, messages],
  ['a list with a byte order mark', `\ufeff${list}`, messages],
  ['one message per line', `${lines}\n\n`, messages],
  ['one message per line, with line ends of Windows', lines.replace('\n', '\r\n'), messages],
  ['one message alone', JSON.stringify(messages[0]), [messages[0]]],
  ['a request body', JSON.stringify(body, null, 2), body],
])('[VB1] %s is read', (_name, text, value) => {
  expect(readText('chat.json', text)).toEqual({ kind: 'history', name: 'chat.json', value })
})

test('[VB1] a tape is recognised by its first line', () => {
  const { tape, text } = recording()
  interrupted(tape)
  const read = readText('chat.tape', `${text()}{"cut`)
  expect(read).toMatchObject({ kind: 'tape', redacted: true, faults: ['the last line is cut off'] })
  expect(read.kind === 'tape' && read.entries.length).toBe(text().trim().split('\n').length - 1)
})

test.each([
  [' \n', 'x is empty'],
  ['[{]', 'x, line 1, column 3: expected a key in double quotes but found "]"'],
  ['[\n  1,\n]', 'x, line 3, column 1: expected a value but found "]" (remove the comma before it)'],
  [
    "[{'role': 'user'}]",
    `x, line 1, column 3: expected a key in double quotes but found "'" (JSON requires double quotes)`,
  ],
  [`${lines}\n{"role"`, 'x, line 3, column 8: expected ":" but the text ends (one bracket is still open)'],
  ['"words"', 'x is a string, not a history: this page opens'],
  ['null', 'x is null, not a history: this page opens'],
  ['{"a": 1}', 'x is an object with none of the fields messages, input, contents'],
  [
    ['system', 'user', 'assistant']
      .map(type => JSON.stringify({ type, ...(type === 'system' ? { content: '' } : {}) }))
      .join('\n'),
    'x: most of its lines are not messages. If it is a session file of another program, open it with antiphon view',
  ],
])('[VB1] what cannot be read is said in one clear line: %j', (text, said) => {
  expect(() => readText('x', text)).toThrow(said)
})

test('[VB1] the reason is one line, also if a line end or a control character is what is wrong', () => {
  for (const wrong of ['["\\\n"]', '[\u001b]', '[1\u2028]', '["a\nb"]'])
    expect(() => readText('chat.json', wrong)).toThrow(/^chat\.json, [^\p{Cc}\p{Zl}]+$/u)
})

test.each(requests)('[VW60] the paste box reads %s', (_name, text, kind) => {
  const [document, ...others] = readTexts('what was pasted', text)
  expect(others).toEqual([])
  const isList = document.kind === 'history' && Array.isArray(document.value)
  expect(document).toMatchObject({ kind: 'history', value: isList ? pasted.messages : pasted })
  expect(document.kind === 'history' && document.name).toContain(`taken out of ${kind}`)
  expect(JSON.stringify(document)).not.toContain('SECRET')
})

test.each(series)('[VW61] every request of %s is opened', (_name, text) => {
  expect(readTexts('x', text)).toHaveLength(2)
})

test('[VW60] what cannot be taken out is said in one line', () => {
  expect(() => readTexts('x', 'curl https://api.openai.com -d @body.json')).toThrow(
    'x: the body of a curl command is in another file (pass that file: body.json)',
  )
})
