import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codex } from '../../../../src/doctor/systems/codex/index.ts'
import { wordsIn } from '../../../laws/random.ts'
import { judge } from '../../../oracle/judge.ts'
import type { Subject } from '../../contract.ts'
import { corrupt } from './corrupt.ts'
import { generate, type Home } from './generate.ts'
import { requestOf } from './request.ts'
import { type Json, plain } from './rollout.ts'

export const subject: Subject = {
  system: codex,
  tag: 'DX',
  healthy: (seed, folder) => write(generate(seed), folder),
  corrupted: (seed, folder) => write(corrupt(seed, generate(seed)), folder),
  refusals: path => refusals(path),
  words: path => [...filesIn(path)].flatMap(([file, bytes]) => wordsIn(plain(file, bytes).toString())),
}

function write({ files }: Home, folder: string): string {
  for (const [path, bytes] of files) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  return folder
}

function filesIn(folder: string): Map<string, Buffer> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort()
  return new Map(paths.map(path => [path, readFileSync(path)]))
}

/**
 * What OpenAI rejects of what any version of Codex would send. Old ones repaired nothing, and had no paginated
 * rollouts.
 */
function refusals(folder: string): string[] {
  const files = filesIn(folder)
  return [...files.keys()].flatMap(path =>
    (['sent', 'left out'] as const).flatMap(ids =>
      [true, false].flatMap(normalizes => refused(files, path, ids, normalizes)),
    ),
  )
}

function refused(files: Map<string, Buffer>, path: string, ids: 'sent' | 'left out', normalizes: boolean): string[] {
  try {
    const isOld = !normalizes && plain(path, files.get(path) as Buffer).includes('"history_mode":"paginated"')
    const { input } = requestOf(files, path, { ids, normalizes: normalizes || isOld })
    const objections = judge(input as Json[], 'openai-responses', 'openai-responses')
    return objections.filter(({ pedantic }) => !pedantic).map(({ message }) => message)
  } catch (error) {
    return [String(error)]
  }
}
