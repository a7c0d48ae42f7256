import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { System } from '../../../src/doctor/system.ts'
import { Random } from '../../laws/random.ts'
import type { Subject } from '../contract.ts'
import { type ChatMessage, corruptChat, generateChat, refusalsBy, wordsIn } from './chat.ts'
import { damageLines } from './line-faults.ts'
import { filesIn } from './samples.ts'

type Json = Record<string, unknown>

export interface LineStore {
  readonly system: System
  /** The path of the file in its folder. */
  readonly file: string
  /** The records of a conversation. */
  records(random: Random, chat: readonly ChatMessage[]): readonly Json[]
  /** What the program reads from the text of a file. */
  read(text: string): ChatMessage[]
}

export interface LineSubject extends Subject {
  read(folder: string): ChatMessage[]
  /** Writes a store with this conversation, and a record at its end. */
  store(folder: string, chat: readonly ChatMessage[], last?: Json): string
}

/** A system that keeps a conversation in a file of lines. */
export function lineSubject({ system, file, records, read }: LineStore): LineSubject {
  const lines = (seed: number, chat: readonly ChatMessage[]): string[] =>
    records(new Random(seed ^ 0x11), chat).map(record => JSON.stringify(record))
  const written = (folder: string, text: string): string => {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return folder
  }
  const textIn = (folder: string): string => readFileSync(filesIn(folder, file.slice(file.lastIndexOf('.')))[0], 'utf8')
  return {
    system,
    tag: 'DD',
    healthy: (seed, folder) => written(folder, `${lines(seed, generateChat(seed)).join('\n')}\n`),
    corrupted: (seed, folder) => {
      const broken = lines(seed, corruptChat(seed, generateChat(seed)))
      return written(folder, damageLines(new Random(seed ^ 7), broken))
    },
    refusals: folder => refusalsBy(() => read(textIn(folder))),
    words: folder => wordsIn(textIn(folder)),
    read: folder => read(textIn(folder)),
    store(folder, chat, last) {
      const whole = records(new Random(1), chat)
      const end = last ? [{ ...whole.at(-1), id: 'last', parentId: whole.at(-1)?.id, ...last }] : []
      return written(folder, [...whole, ...end].map(record => `${JSON.stringify(record)}\n`).join(''))
    },
  }
}

/** The records of a text. A line that is not JSON is skipped, or the whole is refused. */
export const recordsOf = (text: string, refusesBadLines = false): Json[] =>
  text.split('\n').flatMap((line, at, all) => {
    if (line.trim() === '') return []
    try {
      return [JSON.parse(line) as Json]
    } catch {
      if (refusesBadLines && at < all.length - 1) throw new Error(`line ${at + 1} cannot be read`)
      return []
    }
  })

export const timeOf = (index: number): string => new Date(1_786_529_700_000 + index * 2_000).toISOString()

export function uuidBy(random: Random): string {
  const hex = (length: number): string => Array.from({ length }, () => random.int(16).toString(16)).join('')
  return `${hex(8)}-${hex(4)}-4${hex(3)}-b${hex(3)}-${hex(12)}`
}
