import type { UIMessage } from 'ai'
import { AntiphonError } from '../../core/errors.ts'
import { agentQuestions } from '../../journal/agents/agent-questions.ts'
import type { Journal } from '../../journal/index.ts'
import { readThread } from './read-thread.ts'
import { type ChatBranches, StoredChat } from './stored-chat.ts'

export interface LoadChatOptions {
  /** By default the current one. */
  readonly branch?: number
}

/**
 * The messages of a chat, for `useChat`: pending approvals are included, and an answer in progress as far as it is recorded.
 * Empty if there is no message yet.
 */
export async function loadUIMessages<Message = UIMessage>(
  journal: Journal,
  id: string,
  { branch }: LoadChatOptions = {},
): Promise<Message[]> {
  const chat = await loadChat(journal, id)
  const questions = chat.hasAgents ? await agentQuestions(journal.thread(id)) : []
  return chat.messages(branch, questions) as unknown[] as Message[]
}

/** The branches of a chat, and which of its messages have other versions: edited messages, and answers that were given again. */
export async function loadBranches(
  journal: Journal,
  id: string,
  { branch }: LoadChatOptions = {},
): Promise<ChatBranches> {
  return (await loadChat(journal, id)).branches(branch)
}

/** A chat as it is stored. Without a message it has the main branch. */
export const loadChat = async ({ store }: Journal, id: string): Promise<StoredChat> =>
  new StoredChat((await readThread(store, id)) ?? { uid: '', entries: [] })

/** Makes a branch the current one, so that it is shown and continued. */
export async function switchBranch(journal: Journal, id: string, branch: number): Promise<void> {
  if (!(await journal.store.find(id)))
    throw new AntiphonError('unknown-branch', `unknown branch ${branch} of chat ${id}`, {
      hint: 'the chat does not exist or has no messages: check its id',
    })
  await journal.thread(id).switch(branch)
}
