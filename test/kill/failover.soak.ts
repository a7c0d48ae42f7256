import { checkFailovers } from './failovers.ts'

checkFailovers(10)
