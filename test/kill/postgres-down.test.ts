import { afterAll, beforeAll, test } from 'vitest'
import { type Server, startServer } from '../journal/stores/postgres-server.ts'
import { loadThrough } from './postgres-load.ts'
import { newPostgresSite } from './postgres-site.ts'

let server: Server
const site = newPostgresSite(() => server)
beforeAll(async () => {
  server = await startServer()
  await site.warmUp()
})
afterAll(async () => {
  site.remove()
  await server.stop()
})

test.each(['restart', 'crash'] as const)(
  '[B405] PostgreSQL goes down and comes up under load (%s): nothing is lost, nothing is done twice, workers go on',
  async how => {
    await using harness = site.harness()
    await loadThrough(harness, { times: 3, cause: () => server[how]() })
  },
)
