import { checkFailovers } from './failovers.ts'

checkFailovers(2)
