import { afterAll, beforeAll } from 'vitest'
import { type Server, startServer } from '../journal/stores/postgres-server.ts'
import { checkAgentKills } from './agents.ts'
import { checkKills } from './kills.ts'
import { checkLangGraphFailures } from './langgraph.ts'
import { newPostgresSite } from './postgres-site.ts'
import { checkTwoProcesses } from './two-processes.ts'

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

checkKills(site)
checkAgentKills(site)
checkTwoProcesses(site)
checkLangGraphFailures(site)
