import { openPostgres } from '../../src/journal/stores/postgres/store.ts'
import { Site } from './harness.ts'

/** Journals in schemas of a server, which is there when the first of them is wanted. */
export const newPostgresSite = (server: () => { url(): string }): Site =>
  new Site((_, count) => {
    const [url, schema] = [server().url(), `kill_${process.pid}_${count}`]
    return { where: { url, schema }, open: () => openPostgres(url, { schema, connections: 2 }) }
  })
