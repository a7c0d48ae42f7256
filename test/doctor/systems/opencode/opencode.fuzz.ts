import { describeSystem } from '../../contract.ts'
import { inDatabase, inFiles } from './subject.ts'

describeSystem({ ...inFiles, runs: 500 })
describeSystem({ ...inDatabase, runs: 500 })
