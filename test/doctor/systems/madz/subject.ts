import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { madz } from '../../../../src/doctor/systems/madz/index.ts'
import type { Subject } from '../../contract.ts'
import { strictly } from '../../strictly.ts'
import { corrupt } from './corrupt.ts'
import { generate, type Session, sessionFile } from './generate.ts'
import { loadSession, requestOf } from './request.ts'

export const subject: Subject = {
  system: madz,
  tag: 'DM',
  healthy: (seed, folder) => written(folder, generate(seed)),
  corrupted: (seed, folder) => written(folder, corrupt(seed, generate(seed))),
  refusals,
  words: path => loadSession(readFileSync(path), Number.MAX_SAFE_INTEGER).flatMap(({ content }) => wordsIn(content)),
}

/** The unique texts; those of joined system entries are in one text. */
const wordsIn = (content: unknown): string[] => (typeof content === 'string' ? (content.match(/\bw\d+\b/g) ?? []) : [])

function written(folder: string, session: Session): string {
  const path = join(folder, `${session.id}.md`)
  writeFileSync(path, sessionFile(session))
  return path
}

export function refusals(path: string): string[] {
  return strictly(requestOf(readFileSync(path)), 'openai-chat', 'openai', 'qwen-template')
}
