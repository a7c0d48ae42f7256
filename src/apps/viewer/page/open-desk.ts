import type { Desk } from '../desk.ts'
import { linkDesk } from '../sheet/desk-link.ts'
import DeskWorker from './worker.ts?worker&inline'

/** Starts the worker that reads, and gives back the desk that it serves. */
export const openDesk = (): Desk => linkDesk(new DeskWorker())
