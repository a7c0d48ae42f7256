import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A program that is running, for real. */
export interface LiveProgram {
  readonly pid: number
  /** Kills it, and waits until it has ended. */
  kill(): Promise<void>
}

export interface LiveOptions {
  /** What it is called. */
  readonly name?: string
  readonly folder?: string
  /** Files that it has open for appending, and does nothing with. */
  readonly open?: readonly string[]
  /** Databases that it is connected to, without a transaction. */
  readonly connected?: readonly string[]
  /** Files that it has appended nothing to, and closed again. */
  readonly appended?: readonly string[]
}

/** Starts a program, and waits, without giving up the thread, until it has everything open. */
export function startProgram({ name = 'agent', folder, ...work }: LiveOptions): LiveProgram {
  const ready = join(mkdtempSync(join(tmpdir(), 'antiphon-live-')), 'ready')
  const child = spawn(process.execPath, ['-e', script, JSON.stringify({ ...work, ready })], {
    argv0: name,
    stdio: 'ignore',
    ...(folder === undefined ? {} : { cwd: folder }),
  })
  const end = Date.now() + 60_000
  while (!existsSync(ready)) {
    if (Date.now() > end) throw new Error('the program did not start')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  }
  return { pid: child.pid as number, kill: () => killed(child) }
}

const script = `
  const fs = require('node:fs')
  const { open = [], connected = [], appended = [], ready } = JSON.parse(process.argv[1])
  for (const file of open) fs.openSync(file, 'a')
  for (const file of appended) fs.appendFileSync(file, '')
  globalThis.kept = connected.map(file => {
    const database = new (require('node:sqlite').DatabaseSync)(file)
    database.prepare('select count(*) from sqlite_schema').get()
    return database
  })
  fs.writeFileSync(ready, '')
  setInterval(() => {}, 1_000_000)`

function killed(child: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}
