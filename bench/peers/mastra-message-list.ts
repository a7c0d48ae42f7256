import { importPeer, type Subject, subject } from '../subject.ts'
import { decode, encode, type ModelMessage } from './model-messages.ts'

interface List {
  add(messages: ModelMessage[], source: 'input'): List
  get: { all: { aiV5: { prompt(): ModelMessage[] } } }
}

interface Module {
  MessageList: new () => List
}

/** A `MessageList` takes the history in and gives the prompt out: what each of mastra's agents sends. */
export async function load(): Promise<Subject> {
  const { MessageList } = await importPeer<Module>('@mastra/core/agent/message-list')
  return subject<ModelMessage[]>('mastra list', 'MessageList', {
    encode,
    run: messages => new MessageList().add(messages, 'input').get.all.aiV5.prompt(),
    decode,
  })
}
