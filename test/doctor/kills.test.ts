import { describe } from 'vitest'
import { sampleOf } from '../sample.ts'
import { describeKills, spread } from './kills.ts'
import { subjects } from './subjects.ts'

describe('a process that is killed', () => {
  for (const subject of subjects)
    describeKills(subject, {
      healing: count => sampleOf(spread(3)(count), 1, subject.system.title),
      restoring: count => [Math.floor(count / 2)],
      stores: 1,
    })
})
