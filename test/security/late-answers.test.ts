import { setTimeout as sleep } from 'node:timers/promises'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { Command } from '@langchain/langgraph'
import { type AgentMiddleware, createAgent, humanInTheLoopMiddleware, tool } from 'langchain'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { healMiddleware, openCheckpointer } from '../../src/integrations/langchain/index.ts'

/** Calls `pay` with larger and larger amounts, one after the other. */
class Spender extends BaseChatModel {
  _llmType(): string {
    return 'spender'
  }
  override bindTools(): this {
    return this
  }
  async _generate(messages: BaseMessage[]) {
    const paid = messages.filter(({ type }) => type === 'tool').length
    const call = { id: `call_${paid}`, name: 'pay', args: { amount: 10 ** (paid + 1) }, type: 'tool_call' as const }
    const message = paid < 2 ? new AIMessage({ content: '', tool_calls: [call] }) : new AIMessage('Done.')
    return { generations: [{ text: '', message }] }
  }
}

const asking = humanInTheLoopMiddleware({ interruptOn: { pay: true } } as never) as AgentMiddleware

async function spending() {
  const journal = await openCheckpointer('memory:')
  const paid: number[] = []
  const execute = async ({ amount }: { amount: number }) => {
    await sleep(20)
    paid.push(amount)
    return 'paid'
  }
  const schema = z.object({ amount: z.number() })
  const agent = createAgent({
    model: new Spender({}),
    tools: [tool(execute, { name: 'pay', description: 'Pays.', schema })],
    checkpointer: journal,
    middleware: [asking, healMiddleware({ journal })],
  })
  const thread = { configurable: { thread_id: 'thread' } }
  const approve = () => agent.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), thread)
  const waiting = async (): Promise<{ id?: string }[]> =>
    (await agent.graph.getState(thread)).tasks.flatMap(({ interrupts }) => interrupts)
  await agent.invoke({ messages: [new HumanMessage('Pay')] }, thread)
  return { journal, agent, paid, thread, approve, waiting }
}

test('[SE641] an approval that is sent twice approves one call, not also the next one', async () => {
  const { journal, paid, approve, waiting } = await spending()
  const answers = await Promise.allSettled([approve(), approve()])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(answers[1]).toMatchObject({ reason: { code: 'nothing-waiting', hint: expect.any(String) } })
  expect(paid).toEqual([10])
  expect(await waiting()).toHaveLength(1)
  // The refused run keeps the thread from no other.
  const began = performance.now()
  const { messages } = await approve()
  expect(performance.now() - began).toBeLessThan(2_000)
  expect(messages.at(-1)?.text).toBe('Done.')
  expect(paid).toEqual([10, 100])
  await journal.close()
})

test('[SE641] an approval waits for a run that has not changed the thread, as one whose process is gone', async () => {
  const { journal, paid, approve } = await spending()
  await journal.store.claim('thread', { owner: 'gone', leaseMs: 300 })
  await approve()
  expect(paid).toEqual([10])
  await journal.close()
})

test('[SE641] a message and an answer with the id of its interrupt wait for another run', async () => {
  const { journal, agent, paid, thread, approve, waiting } = await spending()
  const [{ id = '' } = {}] = await waiting()
  const decided = new Command({ resume: { [id]: { decisions: [{ type: 'approve' }] } } })
  await Promise.all([approve(), agent.invoke(decided, thread)])
  expect(paid).toEqual([10])
  await Promise.all([approve(), agent.invoke({ messages: [new HumanMessage('And?')] }, thread)])
  expect(paid).toEqual([10, 100])
  await journal.close()
})
