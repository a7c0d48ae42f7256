import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Journal, openJournal } from '../../../../src/journal/index.ts'
import { programFile } from '../../../programs.ts'

export interface LiveJournal {
  readonly path: string
  readonly journal: Journal
  close(): Promise<void>
}

/** A journal on disk with a worker on it, which is a process of its own. */
export async function liveJournal(folder: string): Promise<LiveJournal> {
  const path = join(folder, 'chat.db')
  const journal = await openJournal(`sqlite:${path}`, { telemetry: false })
  const worker = fork(programFile('viewer-work'), [`sqlite:${path}`])
  return {
    path,
    journal,
    async close() {
      const ended = once(worker, 'exit')
      worker.disconnect()
      await ended
      await journal.close()
    },
  }
}
