import { checkFailovers } from './failovers.ts'
import { checkRebalances } from './rebalances.ts'

checkFailovers(2, true)
checkRebalances(5, true)
