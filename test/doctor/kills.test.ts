import { describe } from 'vitest'
import { describeKills, spread } from './kills.ts'
import { subjects } from './subjects.ts'

describe('a process that is killed', () => {
  for (const subject of subjects)
    describeKills(subject, { healing: spread(3), restoring: count => [Math.floor(count / 2)], stores: 1 })
})
