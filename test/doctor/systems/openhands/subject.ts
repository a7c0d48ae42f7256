import { openhands } from '../../../../src/doctor/systems/openhands/index.ts'
import type { Subject } from '../../contract.ts'
import { corrupt } from './corrupt.ts'
import { filesIn, written } from './folder.ts'
import { generate } from './generate.ts'
import { refusalsOf } from './judge.ts'

/** Random conversations in a folder, for the contract of all systems. */
export const subject: Subject = {
  system: openhands,
  tag: 'DH',
  healthy: (seed, folder) => written(generate(seed), folder),
  corrupted: (seed, folder) => written(corrupt(seed, generate(seed)), folder),
  refusals: path => refusalsOf(filesIn(path)),
  words: path => [...filesIn(path)].flatMap(([, bytes]) => bytes.toString().match(/\bw\d+\b/g) ?? []),
}
