import { createHash } from 'node:crypto'
import { repair } from '../../src/index.ts'
import { history } from './history.ts'
import { pairs } from './try-laws.ts'

/** A hash over what healing makes of these many histories, reports included, in whichever order they are healed. */
export function digestOfHealing(count: number, order: 'up' | 'down'): string {
  const digests: string[] = []
  for (let index = 0; index < count; index++) {
    const seed = order === 'up' ? index : count - 1 - index
    const { codec, dialect } = pairs[(seed * 7) % pairs.length]
    const result = repair(history(codec, seed).messages, { format: codec, for: dialect })
    digests[seed] = createHash('sha256').update(JSON.stringify(result)).digest('hex')
  }
  return createHash('sha256').update(digests.join('\n')).digest('hex')
}
