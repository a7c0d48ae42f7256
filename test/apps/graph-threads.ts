import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { Command, END, interrupt, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { type OpenCheckpointerOptions, openCheckpointer } from '../../src/integrations/langchain/index.ts'

type State = typeof MessagesAnnotation.State

/** A call for a payment after a user message, and words after its result. */
function model({ messages }: State) {
  if (messages.at(-1)?.type !== 'human') return { messages: [new AIMessage('Paid.')] }
  const call = { id: 'call_1', name: 'pay', args: { eur: 5 } }
  return { messages: [new AIMessage({ content: '', tool_calls: [call] })] }
}

/** Asks a person before it pays. */
function pay({ messages }: State) {
  if (messages.at(0)?.text === 'Fail') throw new Error('the bank is closed')
  const answer = interrupt('Really?')
  return { messages: [new ToolMessage({ content: String(answer), tool_call_id: 'call_1' })] }
}

/**
 * Threads of real graphs on the checkpointer: `waits` for a person in a subgraph, `done` has ended, `fails` has a failed
 * task, and `broken` has a call without a result in the middle.
 */
export async function fillGraphs(where: string, options: OpenCheckpointerOptions = {}): Promise<void> {
  await using checkpointer = await openCheckpointer(where, options)
  const inner = new StateGraph(MessagesAnnotation).addNode('pay', pay).addEdge(START, 'pay').addEdge('pay', END)
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', model)
    .addNode('tools', inner.compile({ checkpointer: true }))
    .addEdge(START, 'model')
    .addConditionalEdges('model', ({ messages }) =>
      (messages.at(-1) as AIMessage).tool_calls?.length === 0 ? END : 'tools',
    )
    .addEdge('tools', 'model')
    .compile({ checkpointer })
  const at = (thread_id: string) => ({ configurable: { thread_id } })
  const ask = (text: string) => ({ messages: [new HumanMessage(text)] })
  await graph.invoke(ask('Pay 5 EUR'), at('waits'))
  await graph.invoke(ask('Pay 5 EUR'), at('done'))
  await graph.invoke(new Command({ resume: 'yes' }), at('done'))
  await graph.invoke(ask('Fail'), at('fails')).catch(() => {})
  const open = new AIMessage({ content: '', tool_calls: [{ id: 'call_9', name: 'pay', args: {} }] })
  const still = new StateGraph(MessagesAnnotation).addNode('still', () => ({})).addEdge(START, 'still')
  await still
    .compile({ checkpointer })
    .invoke({ messages: [new HumanMessage('Pay'), open, new HumanMessage('And?')] }, at('broken'))
}
