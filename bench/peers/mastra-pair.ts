import { importPeer, type Subject, subject } from '../subject.ts'
import { decode, encode, type ModelMessage } from './model-messages.ts'

interface Module {
  pairOrphanedToolCalls(messages: ModelMessage[]): ModelMessage[]
}

/** The last step of a `MessageList`, on its own: it answers or removes what has no other half. */
export async function load(): Promise<Subject> {
  const { pairOrphanedToolCalls } = await importPeer<Module>('@mastra/core/agent/message-list')
  return subject<ModelMessage[]>('mastra pair', 'pairOrphanedToolCalls', {
    encode: join,
    run: pairOrphanedToolCalls,
    decode,
  })
}

/** It looks at one tool message after the calls, as a `MessageList` writes them: results in a row become one message. */
function join(history: Parameters<typeof encode>[0]): ModelMessage[] {
  const joined: ModelMessage[] = []
  for (const message of encode(history)) {
    const last = joined.at(-1)
    if (message.role === 'tool' && last?.role === 'tool') last.content = [...last.content, ...message.content] as Parts
    else joined.push(message)
  }
  return joined
}

type Parts = Exclude<ModelMessage['content'], string>
