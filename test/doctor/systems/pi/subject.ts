import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pi } from '../../../../src/doctor/systems/pi/index.ts'
import { Random } from '../../../laws/random.ts'
import { corruptChat, generateChat, refusalsBy } from '../../chat/chat.ts'
import { damageLines } from '../../chat/line-faults.ts'
import type { Subject } from '../../contract.ts'
import { readSession, sessionLines, wordsOf } from './session.ts'

export const subject: Subject = {
  system: pi,
  tag: 'DD',
  healthy: (seed, folder) => written(folder, `${sessionLines(seed, generateChat(seed), id).join('\n')}\n`),
  corrupted: (seed, folder) => {
    const lines = sessionLines(seed, corruptChat(seed, generateChat(seed)), id)
    return written(folder, damageLines(new Random(seed ^ 7), withBadLink(new Random(seed ^ 8), lines)))
  },
  refusals: path => refusalsBy(() => readSession(path)),
  words: wordsOf,
}

const id = '01998bd4-8d00-7c11-a5f0-3b1e6a2c9d10'

/** Sometimes the parent of an entry was never written. */
export function withBadLink(random: Random, lines: readonly string[]): readonly string[] {
  if (random.chance(0.8) || lines.length < 3) return lines
  const at = random.range(2, lines.length - 1)
  return lines.with(at, lines[at].replace(/"parentId":"\w+"/, '"parentId":"00000000"'))
}

function written(folder: string, text: string): string {
  const path = join(folder, `2026-08-12T10-15-00-000Z_${id}.jsonl`)
  writeFileSync(path, text)
  return path
}
