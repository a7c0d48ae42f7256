import type { Message } from './histories.ts'
import type { Subject } from './subject.ts'

/** The part of antiphon's front door that is measured. It is the built package: what a user gets. */
export interface Antiphon {
  heal(history: Message[], options?: Options): Message[]
  createHealer(options?: Options): Healer
  trim(history: Message[], options: Options & { maxMessages?: number; maxTokens?: number }): Message[]
  convert(history: Message[], options: { from: string; to: string }): unknown[]
}

export interface Healer {
  push(...messages: Message[]): unknown
  readonly history: readonly Message[]
  /** Absent in older versions. */
  readonly live?: readonly Message[]
}

interface Options {
  for?: string
  format?: string
}

export const entry = new URL('../dist/index.js', import.meta.url)

export async function loadAntiphon(): Promise<Antiphon> {
  return (await import(entry.href)) as Antiphon
}

export async function load(): Promise<Subject> {
  const { heal } = await loadAntiphon()
  return {
    name: 'antiphon',
    via: 'heal',
    format: 'openai-chat',
    prepare: (history, reader) => ({
      run: () => heal(history, { for: reader, format: 'openai-chat' }),
      read: outcome => outcome as Message[],
      given: history,
      sent: outcome => outcome as Message[],
    }),
  }
}
