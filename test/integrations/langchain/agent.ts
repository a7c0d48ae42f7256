import { setTimeout as sleep } from 'node:timers/promises'
import type { BaseMessage } from '@langchain/core/messages'
import type { Command } from '@langchain/langgraph'
import { type AgentMiddleware, createAgent, createMiddleware, tool } from 'langchain'
import { z } from 'zod'
import {
  type Checkpointer,
  type HealMiddlewareOptions,
  healMiddleware,
  openCheckpointer,
} from '../../../src/integrations/langchain/index.ts'
import { type ReplyScript, type Strict, startStrict } from '../../../src/strict/index.ts'
import { modelAt } from './models.ts'
import type { Place } from './places.ts'

/** Something that a test waits for, or holds up. */
export class Gate {
  open: () => void = () => {}
  readonly opened = new Promise<void>(resolve => {
    this.open = resolve
  })
}

export interface AgentPlan {
  readonly place?: Place
  /** The provider, if it is not one of its own; its ids are then unlike those that came before. */
  readonly strict?: Strict
  readonly script?: ReplyScript
  readonly heal?: Omit<HealMiddlewareOptions, 'journal'>
  readonly around?: readonly AgentMiddleware[]
  /** Before anything is done. */
  readonly ask?: () => unknown
  /** Without the middleware. */
  readonly bare?: true
  /** What the tool does, with the number of the effect. */
  readonly act?: (count: number) => string | Command | Promise<string | Command>
}

/** An agent with a tool that charges a card, on a checkpointer of its own, at a strict provider. */
export async function openAgent(plan: AgentPlan = {}) {
  const { place, script, heal, around = [], ask, bare, act = () => 'charged' } = plan
  const strict: Strict = plan.strict ?? (await startStrict(script ? { script } : {}))
  const journal: Checkpointer = await openCheckpointer(place?.where ?? 'memory:', { waitMs: 8_000, ...place?.options })
  const effects: unknown[] = []
  let settled = 0
  const charge = tool(
    async (input: { amount: number }): Promise<string | Command> => {
      ask?.()
      effects.push(input.amount)
      const outcome = await act(effects.length)
      settled++
      return outcome
    },
    { name: 'charge', description: 'Charges the card.', schema: z.object({ amount: z.number() }) },
  )
  const agent = createAgent({
    model: modelAt(strict.url, 'openai'),
    tools: [charge],
    checkpointer: journal,
    middleware: bare ? [] : [...around, healMiddleware({ journal, ...heal })],
  })
  const config = { configurable: { thread_id: 'thread' } }
  return {
    ...{ agent, journal, strict, effects, config, charge },
    say: (text: string, more: object = {}) =>
      agent.invoke({ messages: [{ role: 'user', content: text }] }, { ...config, ...more }),
    resume: (value: unknown = null, more: object = {}) => agent.invoke(value as never, { ...config, ...more }),
    async said(): Promise<[string, string][]> {
      const { messages } = (await agent.graph.getState(config)).values as { messages: BaseMessage[] }
      return messages.map(({ type, text }) => [type, text])
    },
    settled: () => settled,
    refusals: () => strict.requests.map(({ verdict }) => verdict).filter(verdict => verdict !== 'accepted'),
    async [Symbol.asyncDispose]() {
      await journal.close()
      await strict.close()
    },
  }
}

/** A model that charges once in every turn, and then says that it is done. */
export const chargeOnce: ReplyScript = ({ turnResults }) =>
  turnResults.length > 0 ? 'Done.' : { calls: [{ name: 'charge', input: { amount: 5 } }] }

export async function until(isThere: () => boolean): Promise<void> {
  while (!isThere()) await sleep(5)
}

/** Stands around the tool, and lets nobody hear of what it came to. */
export const deafFrom = (done: Gate): AgentMiddleware =>
  createMiddleware({
    name: 'deaf',
    wrapToolCall: async (request, handler) => {
      await handler(request)
      done.open()
      return new Promise(() => {})
    },
  })
