import { existsSync } from 'node:fs'
import { openStore } from '../journal/open-store.ts'
import type { Store } from '../journal/store.ts'
import { unreadable } from '../unreadable.ts'

/** Opens a journal to look at it: a file of SQLite, or the address of a PostgreSQL database. Nothing is written. */
export async function lookAtJournal(place: string, { schema }: { readonly schema?: string } = {}): Promise<Store> {
  const isAddress = /^postgres(ql)?:/i.test(place)
  const file = place.replace(/^sqlite:(\/\/)?/, '')
  // What looks like an address is not repeated: there may be a password in it.
  if (!isAddress && /:\/\/|password=/i.test(file))
    throw unreadable('the journal', 'no journal is kept at such an address', 'a file of SQLite, or postgres://...')
  if (!isAddress && !existsSync(file)) throw unreadable(file, 'there is no such file')
  const options = { readOnly: true, reconnectMs: 2_000, ...(schema === undefined ? {} : { schema }) }
  return openStore(isAddress ? place : `sqlite:${file}`, options)
}
