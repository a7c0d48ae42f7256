import { join } from 'node:path'
import { langgraph } from '../../../../src/doctor/systems/langgraph/index.ts'
import type { Subject } from '../../contract.ts'
import { strictly } from '../../strictly.ts'
import { corrupt } from './corrupt.ts'
import { generate, writeDatabase } from './generate.ts'
import { inDatabase } from './helpers.ts'
import { requestsOf } from './request.ts'
import { newestIn } from './rows.ts'

export const subject: Subject = {
  system: langgraph,
  tag: 'DG',
  healthy: (seed, folder) => written(folder, generate(seed), seed),
  corrupted: (seed, folder) => written(folder, corrupt(seed, generate(seed)), seed),
  refusals,
  words: path => newestIn(path).flatMap(({ messages }) => messages.map(({ kwargs }) => textOf(kwargs.content))),
}

function written(folder: string, store: ReturnType<typeof generate>, seed: number): string {
  const path = join(folder, 'checkpoints.db')
  writeDatabase(path, store)
  if (seed % 3 === 0) inDatabase(path, database => database.exec('PRAGMA journal_mode = WAL'))
  return path
}

/** Every model class writes its own body; the templates of local servers see that of chat completions. */
export async function refusals(path: string): Promise<string[]> {
  const requests = await requestsOf(path)
  return requests.flatMap(({ openai, anthropic }) => [
    ...strictly(openai, 'openai-chat', 'openai', 'qwen-template'),
    ...strictly(anthropic, 'anthropic', 'anthropic'),
  ])
}

const textOf = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content))
