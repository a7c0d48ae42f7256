import type { Message } from '../histories.ts'
import { type Subject, subject } from '../subject.ts'

/** Does nothing: it shows that the histories are refused, and beside it stands what antiphon makes of them. */
export async function load(): Promise<Subject> {
  const same = (history: Message[]) => history
  return subject<Message[]>('nobody', 'nothing', { encode: same, run: same, decode: same })
}
