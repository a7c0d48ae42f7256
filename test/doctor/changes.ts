import fs from 'node:fs'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { atEveryMoment } from './moments.ts'

/**
 * Runs work with `before` called before every change to the disk and every statement that may change a database, with
 * its number from 0. Databases keep almost nothing in memory meanwhile, so that what a statement changes is on disk
 * before it is committed, as it is when much is changed at once.
 */
export async function atEveryChange<T>(
  before: (number: number, name: string, args: readonly unknown[]) => void,
  work: () => Promise<T>,
): Promise<T> {
  const { run } = StatementSync.prototype
  const { exec } = DatabaseSync.prototype
  let number = 0
  const next = (name: string, args: readonly unknown[]): void => before(number++, name, args)
  StatementSync.prototype.run = function (this: StatementSync, ...values: Parameters<typeof run>) {
    next('run', values)
    return run.apply(this, values)
  } as typeof run
  DatabaseSync.prototype.exec = function (sql) {
    next('exec', [sql])
    exec.call(this, sql)
    if (sql.includes('begin')) exec.call(this, 'pragma cache_size = 1')
  }
  try {
    return await atEveryMoment((_, name, args) => next(name, args), work)
  } finally {
    StatementSync.prototype.run = run
    DatabaseSync.prototype.exec = exec
  }
}

/** Does the first half of a change that writes bytes, and nothing of any other. */
export function doHalf(name: string, args: readonly unknown[]): void {
  const [target, bytes, at] = args
  if (name === 'writeSync' && bytes instanceof Uint8Array) {
    const start = typeof at === 'number' ? at : 0
    fs.writeSync(target as number, bytes, start, Math.floor((bytes.length - start) / 2))
  } else if (name === 'writeFileSync') fs.writeFileSync(target as string, halfOf(bytes))
  else if (name === 'copyFileSync') fs.writeFileSync(bytes as string, halfOf(fs.readFileSync(target as string)))
}

const halfOf = (bytes: unknown): Uint8Array => {
  const whole = Buffer.from(bytes as string)
  return whole.subarray(0, Math.floor(whole.length / 2))
}
