import { afterAll, beforeAll } from 'vitest'
import { checkAgentKills } from './agents.ts'
import { checkKills } from './kills.ts'
import { checkLangGraphFailures } from './langgraph.ts'
import { newSqliteSite } from './sqlite-site.ts'
import { checkTwoProcesses } from './two-processes.ts'

const site = newSqliteSite()
beforeAll(() => site.warmUp())
afterAll(() => site.remove())

checkKills(site)
checkAgentKills(site)
checkTwoProcesses(site)
checkLangGraphFailures(site)
