import { examineList } from '../../doctor/examine-list.ts'
import type { Examination } from '../../doctor/system.ts'
import { messagesIn } from '../../doctor/systems/langgraph/checkpoint.ts'
import { listOptions, nothingSaid } from '../../doctor/systems/langgraph/examine-thread.ts'
import { tasksIn, waitingIn } from '../../doctor/systems/langgraph/waiting.ts'
import type { GraphState } from '../../integrations/langgraph/graph-state.ts'

/** The messages of the newest checkpoint: those of the channel `messages`, else of one that holds messages. */
export async function graphMessages(state: GraphState): Promise<readonly unknown[]> {
  if (state.channels.includes('messages')) return messagesIn(await state.value('messages')) ?? []
  for (const channel of state.channels) {
    if (/^__|^branch:|^join:/.test(channel)) continue
    // A value of another kind is not what is looked for.
    const messages = messagesIn(await state.value(channel).catch(() => undefined))
    if (messages && messages.length > 0) return messages
  }
  return []
}

/** Checks the messages as the doctor checks those of LangGraph's own checkpointers. */
export function examineGraph(state: GraphState, messages: readonly unknown[]): Examination {
  if (messages.length === 0) return nothingSaid
  const waiting =
    state.status === 'running'
      ? { tail: true, note: 'a run is working on it' }
      : waitingIn(tasksIn(state.open, state.isInterrupted), messages)
  const { messages: _, ...examined } = examineList(messages, listOptions, waiting)
  return { ...examined, notes: examined.state === 'pending' && waiting.note ? [waiting.note] : [] }
}
