import { checkFailovers } from './failovers.ts'
import { checkRebalances } from './rebalances.ts'

checkFailovers(5, true)
checkRebalances(20, true)
