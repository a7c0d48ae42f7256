import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { opencode } from '../../../../src/doctor/systems/opencode/index.ts'
import { type Reader, readers, refusal } from '../../../strict/readers.ts'
import { isUnknowable } from '../../../strict/unknowable.ts'
import { bytesOf, type Subject } from '../../contract.ts'
import { corrupt, generate } from './generate.ts'
import { type Json, type Message, requestsOf } from './request.ts'
import { readDatabase, readFiles, rowsOf, writeDatabase, writeFiles } from './write-store.ts'

export const inFiles: Subject = {
  system: { ...opencode, title: 'opencode in files' },
  tag: 'DO',
  healthy: (seed, folder) => writeFiles(generate(seed), folder, seed % 2 === 0 ? 2 : undefined),
  corrupted: (seed, folder) => writeFiles(corrupt(seed, generate(seed)), folder, seed % 2 === 0 ? 2 : undefined),
  runs: 15,
  changesFileByFile: true,
  refusals: path => refusalsOf(() => readFiles(path)),
  words: path => Object.values(bytesOf(path)).flatMap(text => text.match(/\bw\d+\b/g) ?? []),
}

export const inDatabase: Subject = {
  system: { ...opencode, title: 'opencode in a database' },
  tag: 'DO',
  healthy: (seed, folder) => writeDatabase(generate(seed), join(folder, 'opencode.db')),
  corrupted: (seed, folder) => writeDatabase(corrupt(seed, generate(seed)), join(folder, 'opencode.db')),
  runs: 15,
  refusals: path => refusalsOf(() => readDatabase(path)),
  contents: rowsOf,
  words: path => readFileSync(path, 'latin1').match(/\bw\d+\b/g) ?? [],
}

const readerOf = (format: string, dialect: string): Reader => {
  const reader = readers.find(one => one.format === format && one.dialect === dialect)
  if (!reader) throw new Error(`there is no strict ${dialect}`)
  return reader
}

/** What strict providers answer to what the program would send; its own failure to load a session counts as well. */
export async function refusalsOf(read: () => Message[][]): Promise<string[]> {
  const refusals: string[] = []
  try {
    for (const messages of read()) {
      const { anthropic, openai } = await requestsOf(messages)
      refusals.push(...said(anthropic, readerOf('anthropic', 'anthropic')))
      refusals.push(...said(openai, readerOf('openai-chat', 'openai')))
    }
  } catch (error) {
    refusals.push(`it cannot be loaded: ${(error as Error).message}`)
  }
  return refusals
}

function said({ messages, ...rest }: Json, reader: Reader): string[] {
  const refused = refusal(messages as unknown[], reader, rest)
  return refused && !isUnknowable(refused) ? [`${reader.dialect}: ${refused.message}`] : []
}
