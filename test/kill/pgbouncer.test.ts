import { checkFailovers } from './failovers.ts'
import { checkRebalances } from './rebalances.ts'

checkFailovers(1, true)
checkRebalances(2, true)
