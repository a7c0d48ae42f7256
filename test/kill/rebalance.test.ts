import { checkRebalances } from './rebalances.ts'

checkRebalances(3)
