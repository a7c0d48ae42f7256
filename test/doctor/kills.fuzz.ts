import { describe } from 'vitest'
import { describeKills } from './kills.ts'
import { subjects } from './subjects.ts'

const every = (count: number): Iterable<number> => Array(count).keys()

describe('a process that is killed at every change', () => {
  for (const subject of subjects) describeKills(subject, { healing: every, restoring: every, stores: 2 })
})
