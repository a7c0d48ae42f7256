import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plainFiles } from '../../../../src/doctor/systems/plain/index.ts'
import { wordsIn } from '../../../laws/random.ts'
import type { Subject } from '../../contract.ts'
import { corrupt, type Files, generate, kindOf } from './generate.ts'
import { messagesIn, refusalOf } from './request.ts'

/** The seed of the file at a path, which selects its codec. */
const seeds = new Map<string, number>()

export const subject: Subject = {
  system: plainFiles,
  tag: 'DP',
  healthy: (seed, folder) => put(generate(seed), folder, seed),
  corrupted: (seed, folder) => put(corrupt(seed), folder, seed),
  refusals(path) {
    const refused = refusalOf(messagesIn(readFileSync(path)), kindOf(seeds.get(path) ?? 0).codec)
    return refused === undefined ? [] : [refused]
  },
  words: path => wordsIn(readFileSync(path, 'utf8')),
  runs: 54,
}

function put(files: Files, folder: string, seed: number): string {
  const [[name, bytes]] = [...files]
  const path = join(folder, name)
  writeFileSync(path, bytes)
  seeds.set(path, seed)
  return path
}
