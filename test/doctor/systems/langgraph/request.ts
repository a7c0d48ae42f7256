import { DatabaseSync } from 'node:sqlite'
import { convertPromptToAnthropic } from '@langchain/anthropic'
import { type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { ChatPromptValue } from '@langchain/core/prompt_values'
import { MemorySaver } from '@langchain/langgraph-checkpoint'
import { convertMessagesToCompletionsMessageParams } from '@langchain/openai'

/** What the model node of a thread would send next. */
export interface ThreadRequest {
  readonly thread: string
  readonly namespace: string
  readonly openai: readonly object[]
  readonly anthropic: readonly object[]
}

/**
 * The next request of every thread, built by the packages that a LangGraph program builds it with: the newest
 * checkpoint is loaded by the serializer of its saver, one user message is added, and the chat model's own converter
 * writes the body.
 */
export async function requestsOf(file: string): Promise<ThreadRequest[]> {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const requests: ThreadRequest[] = []
    for (const { thread_id, checkpoint_ns } of database.prepare(threads).all() as unknown as Thread[]) {
      const row = database.prepare(newest).get(thread_id, checkpoint_ns) as unknown as Row
      const messages = await messagesOf(row)
      if (messages) requests.push(requestOf(thread_id, checkpoint_ns, messages))
    }
    return requests
  } finally {
    database.close()
  }
}

/** The messages of a checkpoint as the graph has them; none if it keeps none. */
export async function messagesOf({ type, checkpoint }: Row): Promise<BaseMessage[] | undefined> {
  const state = (await new MemorySaver().serde.loadsTyped(type ?? 'json', checkpoint)) as State
  return state.channel_values.messages
}

function requestOf(thread: string, namespace: string, said: readonly BaseMessage[]): ThreadRequest {
  const messages = [...said, new HumanMessage('Go on.')]
  const openai = convertMessagesToCompletionsMessageParams({ messages, model: 'gpt-4o' }) as object[]
  const { messages: anthropic } = convertPromptToAnthropic(new ChatPromptValue(messages)) as Prompt
  return { thread, namespace, openai, anthropic }
}

interface Thread {
  readonly thread_id: string
  readonly checkpoint_ns: string
}

interface Row {
  readonly type: string | null
  readonly checkpoint: Uint8Array | string
}

interface State {
  readonly channel_values: { readonly messages?: BaseMessage[] }
}

/** System messages are next to the messages. */
interface Prompt {
  readonly messages: object[]
}

const threads = 'SELECT DISTINCT thread_id, checkpoint_ns FROM checkpoints ORDER BY thread_id, checkpoint_ns'

const newest = `SELECT type, checkpoint FROM checkpoints
  WHERE thread_id = ? AND checkpoint_ns = ? ORDER BY checkpoint_id DESC LIMIT 1`
