import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { openSqlite, type SqliteOptions, type SqliteStore } from '../../../src/journal/stores/sqlite/store.ts'

/** A folder for the files of one test, and the stores in it. After each test the stores are closed and it is gone. */
export class Folder {
  #path: string | undefined
  #stores: SqliteStore[] = []

  constructor() {
    afterEach(() => this.clear())
  }

  get path(): string {
    this.#path ??= mkdtempSync(join(tmpdir(), 'antiphon-sqlite-'))
    return this.#path
  }

  file(name = 'chat.db'): string {
    return join(this.path, name)
  }

  async open(options: SqliteOptions = {}, name?: string): Promise<SqliteStore> {
    return this.keep(await openSqlite(this.file(name), options))
  }

  /** A store that is to be closed after the test. */
  keep(store: SqliteStore): SqliteStore {
    this.#stores.push(store)
    return store
  }

  /** The files, and what they take on disk. */
  files(): Record<string, number> {
    return Object.fromEntries(readdirSync(this.path).map(name => [name, statSync(this.file(name)).size]))
  }

  async clear(): Promise<void> {
    for (const store of this.#stores.splice(0)) await store.close()
    if (this.#path !== undefined) rmSync(this.#path, { recursive: true })
    this.#path = undefined
  }
}
