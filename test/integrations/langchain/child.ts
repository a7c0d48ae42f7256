import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAgent, tool } from 'langchain'
import { z } from 'zod'
import { AntiphonError } from '../../../src/core/errors.ts'
import { healMiddleware, openCheckpointer } from '../../../src/integrations/langchain/index.ts'
import { modelAt } from './models.ts'
import type { Plan, Report } from './plan.ts'

// A process of its own with an agent, which is killed where its plan wants it.
const plan = JSON.parse(process.argv[2]) as Plan
async function report(): Promise<Report> {
  try {
    await using journal = await openCheckpointer(plan.where, plan.options)
    const { durability = 'sync', says } = plan
    const agent = createAgent({
      model: modelAt(plan.url, 'openai'),
      tools: [charge],
      checkpointer: journal,
      middleware: [healMiddleware({ journal })],
    })
    const config = { configurable: { thread_id: 'thread' }, durability }
    const inputs = says?.map(content => ({ messages: [{ role: 'user', content }] })) ?? [null]
    process.send?.({ kind: 'asking' } satisfies Report)
    await Promise.all(inputs.map(input => agent.invoke(input as never, config)))
    const { messages } = (await agent.graph.getState(config)).values as { messages: { type: string; text: string }[] }
    return { kind: 'done', messages: messages.map(({ type, text }) => [type, text]) }
  } catch (error) {
    const cause = AntiphonError.is(error) ? error : (error as Error).cause
    const code = AntiphonError.is(cause) ? cause.code : 'unknown'
    return { kind: 'failed', code, message: String((error as Error).stack) }
  }
}

const charge = tool(
  async ({ amount }) => {
    appendFileSync(plan.ledger, `charged ${amount}\n`)
    if (plan.dies === 'in the tool') await die()
    while (plan.until !== undefined && !existsSync(plan.until)) await sleep(10)
    return 'charged'
  },
  { name: 'charge', description: 'Charges the card.', schema: z.object({ amount: z.number() }) },
)

async function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}

process.once('disconnect', () => process.exit(1))
process.send?.(await report(), undefined, undefined, () => process.exit(0))
