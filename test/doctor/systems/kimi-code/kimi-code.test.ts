import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { kimiCode } from '../../../../src/doctor/systems/kimi-code/index.ts'
import { message, user } from '../../chat/chat.ts'
import { describeSamples, filesIn } from '../../chat/samples.ts'
import { all, describeSystem, inFolder } from '../../contract.ts'
import { subject } from './subject.ts'

describeSystem(subject)
describeSamples({ system: kimiCode, title: '[DD82] samples of Kimi Code', read: subject.read })

test('[DD83] Kimi Code: a step whose beginning was lost is begun again', () =>
  inFolder(async folder => {
    const store = subject.store(folder, [user('Hello'), message('assistant', { texts: ['Hi'] })])
    const [path] = filesIn(store, '.jsonl')
    const lines = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, lines.filter(line => !line.includes('step.begin')).join('\n'))
    await all(examineStores([store], { systems: [kimiCode], fix: true, backups: join(folder, '..', 'backups') }))
    expect(subject.read(store)).toEqual([user('Hello'), message('assistant', { texts: ['Hi'] })])
  }))
