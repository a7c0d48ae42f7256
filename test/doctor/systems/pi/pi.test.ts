import { pi } from '../../../../src/doctor/systems/pi/index.ts'
import { describeSamples, filesIn } from '../../chat/samples.ts'
import { describeSystem } from '../../contract.ts'
import { readSession } from './session.ts'
import { subject } from './subject.ts'

describeSystem(subject)
describeSamples({
  system: pi,
  title: '[DD70] samples of pi',
  read: folder => readSession(filesIn(folder, '.jsonl')[0]),
})
