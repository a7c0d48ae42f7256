import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openclaw } from '../../../../src/doctor/systems/openclaw/index.ts'
import { Random } from '../../../laws/random.ts'
import { corruptChat, generateChat, refusalsBy } from '../../chat/chat.ts'
import { damageLines } from '../../chat/line-faults.ts'
import { filesIn } from '../../chat/samples.ts'
import type { Subject } from '../../contract.ts'
import { readSession, sessionLines, wordsOf } from '../pi/session.ts'
import { withBadLink } from '../pi/subject.ts'

export const subject: Subject = {
  system: openclaw,
  tag: 'DD',
  healthy: (seed, folder) => written(folder, `${sessionLines(seed, generateChat(seed), id).join('\n')}\n`),
  corrupted: (seed, folder) => {
    const random = new Random(seed ^ 9)
    const lines = withSecondWriter(random, sessionLines(seed, corruptChat(seed, generateChat(seed)), id))
    return written(folder, damageLines(random, withBadLink(random, lines)))
  },
  refusals: folder => refusalsBy(() => readOpenclaw(folder)),
  words: folder => wordsOf(sessionIn(folder)),
}

const id = '7d0f5a52-6c1b-4f7e-9f53-2f6c1e0a4b21'

const sessionIn = (folder: string): string => filesIn(folder, '.jsonl')[0]

export const readOpenclaw = (folder: string): ReturnType<typeof readSession> => readSession(sessionIn(folder), true)

/** A second process did not know a result, and went on from the call. */
function withSecondWriter(random: Random, lines: readonly string[]): readonly string[] {
  const places = [...lines.keys()].filter(at => lines[at].includes('"toolResult"') && at + 1 < lines.length)
  if (places.length === 0 || random.chance(0.6)) return lines
  const at = random.pick(places)
  const { id: known, parentId } = JSON.parse(lines[at])
  return lines.with(at + 1, lines[at + 1].replace(`"parentId":"${known}"`, `"parentId":${JSON.stringify(parentId)}`))
}

function written(folder: string, text: string): string {
  const sessions = join(folder, 'agents', 'main', 'sessions')
  mkdirSync(sessions, { recursive: true })
  writeFileSync(join(sessions, `${id}.jsonl`), text)
  return folder
}
