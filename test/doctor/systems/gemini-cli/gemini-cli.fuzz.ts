import { describeSystem } from '../../contract.ts'
import { savedChats } from './checkpoint-subject.ts'
import { subject } from './subject.ts'

describeSystem({ ...subject, runs: 1_000 })
describeSystem({ ...savedChats, runs: 1_000 })
