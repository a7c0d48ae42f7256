import { afterAll, beforeAll } from 'vitest'
import { checkManyKills } from './kills.ts'
import { newSqliteSite } from './sqlite-site.ts'

const site = newSqliteSite()
beforeAll(() => site.warmUp())
afterAll(() => site.remove())

checkManyKills(site)
