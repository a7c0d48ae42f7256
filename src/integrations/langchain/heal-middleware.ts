import type { BaseMessage } from '@langchain/core/messages'
import type { AgentMiddleware } from 'langchain'
import { AntiphonError } from '../../core/errors.ts'
import { notify } from '../fetch/notify.ts'
import type { Checkpointer } from '../langgraph/checkpointer.ts'
import type { ToolOptions } from '../langgraph/perform-once.ts'
import { type Runtime, runKeys } from '../langgraph/run-signs.ts'
import { type LangChainOptions, readOptions } from './adapter-options.ts'
import { healModelCall } from './heal-model-call.ts'

export interface HealMiddlewareOptions extends LangChainOptions {
  /** Where it is kept which tools were run, so that each effect happens once: usually the agent's own checkpointer. */
  readonly journal?: Checkpointer
  /** What is known of tools, by their names. Only with a journal. */
  readonly tools?: Readonly<Record<string, ToolOptions>>
  /**
   * What becomes of a tool that throws. `answer` (default): the model is told, as LangChain does without a middleware. `throw`:
   * whoever stands around it decides, such as a middleware that tries again. Only with a journal.
   */
  readonly toolErrors?: 'answer' | 'throw'
}

/**
 * A middleware for `createAgent`. Before each question to the model the history is healed for the provider that the model
 * belongs to; a healthy one goes on as it is. It stands last in the list, so that it sees what the others made of the
 * history. With a journal each call of a tool has one effect, and calls that a crash has left open are answered in the state.
 */
export function healMiddleware(options: HealMiddlewareOptions = {}): AgentMiddleware {
  const { journal, tools = {}, toolErrors = 'answer', ...healing } = options
  const settings = readOptions(healing)
  const middleware: Omit<AgentMiddleware, symbol> = {
    name: 'antiphon',
    async wrapModelCall(request, handler) {
      const healed = await healModelCall(request, settings)
      return journal
        ? journal.leases.during(runIn(journal, request.runtime), async () => handler(healed))
        : handler(healed)
    },
  }
  if (journal) {
    const { onRepair, onError } = settings
    checkJournal(journal)
    checkReplays(tools)
    // Whoever has a journal has LangChain's own classes, which these need; whoever only heals may do without.
    middleware.wrapToolCall = async (request, handler) => {
      const { performOnce } = await import('../langgraph/perform-once.ts')
      return performOnce(request, async () => handler(request), { journal, tools, toolErrors, onError })
    }
    middleware.beforeAgent = async (state: { messages: BaseMessage[] }, runtime: Runtime) => {
      const { settleCalls } = await import('../langgraph/settle-calls.ts')
      const settled = await settleCalls(state.messages, runtime, journal)
      if (!settled) return undefined
      const { messages, repairs } = settled
      notify(onRepair, { changed: true, repairs, remaining: [], dialect: 'lenient' })
      return { messages }
    }
  }
  return Object.assign(middleware, brand) as AgentMiddleware
}

const runIn = ({ leases }: Checkpointer, runtime: Runtime) => leases.runOf(runKeys(runtime))

/** What LangChain knows its middlewares by. */
const brand = { [Symbol.for('AgentMiddleware')]: true }

function checkJournal(journal: object): void {
  if ('leases' in journal) return
  throw new AntiphonError('no-journal', 'this is no checkpointer that can say which tools were run', {
    hint: 'Give the one that openCheckpointer gives.',
  })
}

function checkReplays(tools: Readonly<Record<string, ToolOptions>>): void {
  for (const [name, { replay = 'never' }] of Object.entries(tools))
    if (replay !== 'never' && replay !== 'safe')
      throw new AntiphonError('unknown-choice', `there is no replay "${replay}", for the tool ${name}`, {
        hint: 'one of: never, safe',
      })
}
