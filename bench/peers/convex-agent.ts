import { importPeer, type Subject, subject } from '../subject.ts'
import { decode, encode, type ModelMessage } from './model-messages.ts'

interface Module {
  filterOutOrphanedToolMessages(docs: Doc[]): Doc[]
  docsToModelMessages(docs: Doc[]): ModelMessage[]
}

interface Doc {
  _id: string
  message: ModelMessage
}

/** What the agent does with the messages of a thread before they become its context. */
export async function load(): Promise<Subject> {
  const { filterOutOrphanedToolMessages, docsToModelMessages } = await importPeer<Module>('@convex-dev/agent')
  return subject<ModelMessage[]>('convex agent', 'filterOutOrphanedToolMessages', {
    encode,
    run: messages =>
      docsToModelMessages(
        filterOutOrphanedToolMessages(messages.map((message, index) => ({ _id: `message-${index}`, message }))),
      ),
    decode,
  })
}
