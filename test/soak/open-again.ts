import { setTimeout as sleep } from 'node:timers/promises'
import { type Journal, openJournal } from '../../src/journal/index.ts'
import { type Dialect, type Setting, schemaOf, sealOf } from './settings.ts'

/** Opens a journal, however often its server is down just then. */
export async function openAgain(dialect: Dialect, { journal }: Pick<Setting, 'journal'>): Promise<Journal> {
  for (let tries = 1; ; tries++) {
    try {
      return await openJournal(journal, { schema: schemaOf(dialect), connections: 4, live: true, ...sealOf(dialect) })
    } catch (error) {
      if (tries === 50) throw error
      await sleep(200)
    }
  }
}

/** The code of an error, or what sort it is: never what it says, which is different every time. */
export function codeOf(error: unknown): string {
  const { code, status, name } = (error ?? {}) as { code?: unknown; status?: unknown; name?: unknown }
  return String(code ?? status ?? name ?? typeof error)
}
