import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentFramework } from '../../../../src/doctor/systems/agent-framework/index.ts'
import { wordsIn } from '../../../laws/random.ts'
import { readers, refusal } from '../../../strict/readers.ts'
import type { Subject } from '../../contract.ts'
import { corrupt, type Files, generate } from './generate.ts'
import { requestOf, type Sent } from './request.ts'

export const subject: Subject = {
  system: agentFramework,
  tag: 'DF',
  healthy: (seed, folder) => put(generate(seed), folder),
  corrupted: (seed, folder) => put(corrupt(seed, generate(seed)), folder),
  refusals,
  words: path => wordsIn(readFileSync(path, 'utf8')),
}

function put(files: Files, folder: string): string {
  const [[name, bytes]] = [...files]
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

const judges = readers.filter(({ dialect }) => dialect === 'openai' || dialect === 'openai-responses')

/** What strict providers reject, and what the framework would have to make up or run again. */
export function refusals(path: string): string[] {
  let sent: Sent
  try {
    sent = requestOf(path, readFileSync(path))
  } catch (error) {
    return [`it does not load: ${error}`]
  }
  const refused = judges.flatMap(judge => {
    const answer = refusal(judge.format === 'openai-chat' ? sent.chat : sent.responses, judge)
    return answer ? [`${judge.dialect}: ${answer.message}`] : []
  })
  return [...refused, ...sent.invented.map(id => `made up: ${id}`), ...sent.approved.map(id => `run again: ${id}`)]
}
