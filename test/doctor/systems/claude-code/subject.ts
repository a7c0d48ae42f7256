import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { claudeCode } from '../../../../src/doctor/systems/claude-code/index.ts'
import { readers, refusal } from '../../../strict/readers.ts'
import { isUnknowable } from '../../../strict/unknowable.ts'
import type { Subject } from '../../contract.ts'
import { corrupt, type Files, generate } from './generate.ts'
import { requestsOf } from './request.ts'

const anthropic = readers.find(({ dialect, format }) => dialect === 'anthropic' && format === 'anthropic')
if (!anthropic) throw new Error('there is no strict Anthropic')

export const subject: Subject = {
  system: claudeCode,
  tag: 'DC',
  healthy: (seed, folder) => writeSessions(generate(seed), folder),
  corrupted: (seed, folder) => writeSessions(corrupt(seed, generate(seed)), folder),
  refusals: path => refusalsOf(path),
  words: path => [...readSessions(path).values()].flatMap(bytes => bytes.toString().match(/\bw\d+\b/g) ?? []),
}

export function refusalsOf(path: string): string[] {
  return requestsOf(readSessions(path)).flatMap(({ file, messages }) => {
    const refused = messages.length > 0 ? refusal(messages, anthropic as never) : undefined
    return refused && !isUnknowable(refused) ? [`${file}: ${refused.message}`] : []
  })
}

function writeSessions(files: Files, folder: string): string {
  for (const [name, bytes] of files) {
    if (!name.endsWith('.jsonl')) continue
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }
  return folder
}

function readSessions(folder: string): Files {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = entries.map(entry => join(entry.parentPath, entry.name)).filter(path => path.endsWith('.jsonl'))
  return new Map(paths.sort().map(path => [relative(folder, path), readFileSync(path)]))
}
