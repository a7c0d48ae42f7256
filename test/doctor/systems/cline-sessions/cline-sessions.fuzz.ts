import { describeSystem } from '../../contract.ts'
import { subject } from './subject.ts'

describeSystem({ ...subject, runs: 1_000 })
