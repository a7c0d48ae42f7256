import type { UIMessage } from 'ai'
import type { Journal } from '../../journal/index.ts'
import { ChatFold } from './chat-fold.ts'
import { readThread } from './read-thread.ts'

/**
 * The messages of a chat, for `useChat`: pending approvals are included, and an answer in progress as far as it is recorded.
 * Empty if there is no message yet.
 */
export async function loadUIMessages<Message = UIMessage>(journal: Journal, id: string): Promise<Message[]> {
  const thread = await readThread(journal.store, id)
  if (!thread) return []
  const fold = new ChatFold(thread.uid)
  for (const entry of thread.entries) fold.push(entry)
  return fold.messages as Message[]
}
