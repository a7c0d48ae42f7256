import { expect, test } from 'vitest'
import { visibleText } from '../../../../src/apps/viewer/page/visible-text.ts'

test('[VB24] control, bidirectional and invisible characters are spelled out', () => {
  expect(visibleText('a\u202eb\u2069 \u200f\u0000\u001b[2J\u009b\u007f')).toBe(
    'a\\u202eb\\u2069 \\u200f\\u0000\\u001b[2J\\u009b\\u007f',
  )
  expect(visibleText('\u200b\u2060\ufeff\u2028\u2029\u{e0041}')).toBe(
    '\\u200b\\u2060\\ufeff\\u2028\\u2029\\udb40\\udc41',
  )
  expect(visibleText('paste\rthis')).toBe('paste\\rthis')
  for (const text of [
    'a\u{e0100}',
    'so\u00adft',
    'l\u200ds',
    'a\ufe0f',
    '\u3164',
    '\u115f',
    '\u180b',
    '\ufff9',
    '\u034f',
  ])
    expect(visibleText(text), text).toMatch(/\\u/)
})

test('[VB24] line ends, tabs and the characters of any script stay', () => {
  for (const text of [
    'one\r\ntwo\nthree\tfour',
    'שלום, مرحبا, 你好, é, 👩‍💻 ❤️',
    '❤️‍🔥 👩🏽‍🚀 1️⃣ نمی‌خواهم क्‍ष',
    '<b>&amp;</b> \\u202e',
  ])
    expect(visibleText(text)).toBe(text)
})
