import { afterAll, beforeAll } from 'vitest'
import { type Server, startServer } from '../journal/stores/postgres-server.ts'
import { checkManyKills } from './kills.ts'
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

checkManyKills(site)
