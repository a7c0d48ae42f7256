import type { Server } from './postgres-server.ts'

/** Databases of one server, each of which stands for a server of its own. */
export async function makeDatabases(server: Server, count: number, prefix = 'shard'): Promise<string[]> {
  const urls: string[] = []
  for (let number = 1; number <= count; number++) {
    await server.sql(`CREATE DATABASE ${prefix}_${number}`)
    urls.push(server.url().replace(/\/postgres$/, `/${prefix}_${number}`))
  }
  return urls
}
