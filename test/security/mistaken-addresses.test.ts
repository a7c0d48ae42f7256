import { describe, expect, test } from 'vitest'
import { withoutPasswords } from '../../src/apps/cli/without-passwords.ts'
import { antiphon } from '../apps/cli/program.ts'

describe('[SE560] an address in place of a file', () => {
  test.each([
    ['check', '--json'],
    ['heal', '--write'],
    ['trim', '--max-messages', '3'],
    ['tape', 'show'],
    ['explain'],
    ['doctor', '--restore'],
    ['init'],
    ['strict', '--script'],
    ['move', '--to'],
  ])('%s %s prints no password of it', async (...args) => {
    for (const address of ['postgres://ada:hidden@db.test/app', 'https://api.test/v1?api_key=hidden&a=1']) {
      const { code, stdout, stderr } = await antiphon([...args, address])
      expect(code).toBe(2)
      expect(stderr).toMatch(/db\.test|api\.test/)
      expect(stdout + stderr).not.toContain('hidden')
    }
  })

  test.each([
    ['redis://:hidden@h:1/0: there is no such file', 'redis://@h:1/0: there is no such file'],
    ['"mysql://ada:hi/dd?en@@h/x"', '"mysql://ada@h/x"'],
    ['x (write it as postgres://user:password@h:1/x)', 'x (write it as postgres://user:password@h:1/x)'],
    ['postgres://user:password@hidden@h/x', 'postgres://user@h/x'],
    ['host=h password=hidden dbname=x', 'host=h password=*** dbname=x'],
    ['http://127.0.0.1:80/a/b: there is no such file', 'http://127.0.0.1:80/a/b: there is no such file'],
    ['/tmp/a@b:c.json: there is no such file', '/tmp/a@b:c.json: there is no such file'],
  ])('%s becomes %s', (text, expected) => {
    expect(withoutPasswords(text)).toBe(expected)
  })
})
