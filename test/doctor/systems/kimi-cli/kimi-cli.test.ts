import { kimiCli } from '../../../../src/doctor/systems/kimi-cli/index.ts'
import { describeSamples } from '../../chat/samples.ts'
import { describeSystem } from '../../contract.ts'
import { subject } from './subject.ts'

describeSystem(subject)
describeSamples({ system: kimiCli, title: '[DD80] samples of kimi-cli', read: subject.read })
