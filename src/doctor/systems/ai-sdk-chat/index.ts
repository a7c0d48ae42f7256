import { basename, dirname, join, resolve } from 'node:path'
import { headMessages } from '../../head-messages.ts'
import { readDocument } from '../../json-document.ts'
import type { Peek } from '../../peek.ts'
import type { ConversationStore, System } from '../../system.ts'
import { chatIn, examineUiChat, isOfChat } from './chat.ts'

/** Chats of programs built with the AI SDK, a JSON file each. */
export const aiSdkChat: System = {
  id: 'ai-sdk-chat',
  title: 'AI SDK chat',
  places: ({ folder }) => [join(folder, chatFolder)],
  program: { processes: [{ names: ['node', 'bun', 'deno', 'next-server'], isRuntime: true, worksIn: isServed }] },
  recognises: isChat,
  open: async path => storeAt(path),
}

/** Where the SDK's guide stores chats. */
const chatFolder = '.chats'

/** A server reads and writes a chat as a whole; its working directory is the folder of chats, or the one above it. */
function isServed(path: string): (folder: string) => boolean {
  const chats = dirname(resolve(path))
  const folders = basename(chats) === chatFolder ? [chats, dirname(chats)] : [chats]
  return folder => folders.includes(folder)
}

function isChat(peek: Peek): boolean {
  const found = headMessages(peek, (key, messages) => key === 'messages' || isOfChat(messages))
  if (!found || found.form === 'lines') return false
  if (isOfChat(found.messages)) return true
  if (found.messages.length > 0) return false
  if (found.isAll) return basename(dirname(peek.path)) === chatFolder
  return longMessage.test(peek.headText())
}

/** The beginning of a chat whose first message is longer than the part of the file that is read to recognise it. */
const longMessage = /"role"\s*:\s*"(?:system|user|assistant)"[\s\S]*"parts"\s*:\s*\[\s*\{\s*"type"\s*:/

function storeAt(path: string): ConversationStore {
  const document = readDocument(path)
  const title = chatIn(document.value)?.title
  const id = basename(path).replace(/\.json$/, '')
  return {
    conversations: () => [
      { id, ...(title === undefined ? {} : { title }), examine: async () => examineUiChat(document) },
    ],
    close() {},
  }
}
