import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { AntiphonError } from '../../../src/core/errors.ts'
import { failureReason } from '../../../src/doctor/files/file-error.ts'
import { sqliteFailure } from '../../../src/journal/stores/sqlite/failure.ts'
import { inFolder } from '../contract.ts'

/** What a piece of work throws. */
function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return expect.fail('nothing was thrown')
}

const memory = new DatabaseSync(':memory:')

describe('[DD36] why something cannot be read or written', () => {
  test.each<[string, () => unknown, string]>([
    ['no file', () => readFileSync('/nowhere/at/all'), 'there is no such file'],
    ['a name that has a NUL', () => readFileSync('a\0b'), 'the name contains U+0000'],
    ['a text that is too long', () => 'x'.repeat(2 ** 29), 'it is too large: more than 512 MB'],
    [
      'endless nesting',
      function deeper(): unknown {
        return [deeper()]
      },
      'it is nested too deeply',
    ],
    ['not JSON', () => JSON.parse('{'), 'it cannot be parsed (Expected'],
    [
      'a missing table',
      () => memory.exec('select * from nowhere'),
      'the database failed (SQLite: no such table: nowhere)',
    ],
    [
      'a mistake of a program',
      () => (undefined as unknown as string).length,
      'unexpected error (TypeError: Cannot read',
    ],
    [
      'an error of our own',
      () => {
        throw new AntiphonError('no-file', 'name a file')
      },
      'name a file',
    ],
    [
      'a text',
      () => {
        throw 'something\nelse'
      },
      'unexpected error (something)',
    ],
    ...Object.entries({
      EMFILE: 'too many files are open',
      EIO: 'the disk reports an error',
      EFBIG: 'it would be larger than the system allows',
      EDQUOT: 'the disk quota is used up',
      EWHATEVER: 'the operating system reports an error (EWHATEVER: as it is',
    }).map(([code, line]): [string, () => unknown, string] => [
      code,
      () => {
        throw Object.assign(new Error(`${code}: as it is`), { code })
      },
      line,
    ]),
  ])('%s', (_, work, line) => {
    const reason = failureReason(thrownBy(work))
    expect(reason.slice(0, line.length)).toBe(line)
    expect(reason).not.toContain('\n')
  })

  test('a file that SQLite does not read', () =>
    inFolder(async folder => {
      const path = join(folder, 'x.db')
      writeFileSync(path, 'x'.repeat(2_000))
      const error = thrownBy(() => new DatabaseSync(path).prepare('select * from sqlite_schema').all())
      expect(failureReason(error)).toBe('it is not an SQLite database, or it is damaged')
    }))
})

describe('[WS25] an SQLite error of a journal', () => {
  const failed = (code: number, message: string, errstr: string) =>
    Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode: code, errstr })

  test.each([
    [5, 'database is locked', 'database is locked', 'the journal is locked by another process'],
    [13, 'database or disk is full', 'database or disk is full', 'the disk is full'],
    [26, 'file is not a database', 'file is not a database', 'the file is not a journal, or it is damaged'],
    [
      11,
      'malformed database schema (t)',
      'database disk image is malformed',
      'the file is not a journal, or it is damaged (SQLite: malformed database schema (t))',
    ],
    [1, 'no such table: t', 'SQL logic error', 'the journal failed (SQLite: no such table: t)'],
  ])('%s: %s', (code, message, errstr, line) => {
    const error = failed(code, message, errstr)
    expect(sqliteFailure(error)).toMatchObject({ message: line, hint: expect.any(String), cause: error })
  })
})
