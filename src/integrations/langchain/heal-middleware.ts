import type { BaseMessage } from '@langchain/core/messages'
import type { AgentMiddleware } from 'langchain'
import { assertChoice } from '../../core/assert-options.ts'
import { AntiphonError } from '../../core/errors.ts'
import { notify } from '../fetch/notify.ts'
import type { Checkpointer } from '../langgraph/checkpointer.ts'
import type { ToolOptions } from '../langgraph/perform-once.ts'
import type { Runtime } from '../langgraph/run-signs.ts'
import { type LangChainOptions, readOptions } from './adapter-options.ts'
import { healModelCall } from './heal-model-call.ts'

export interface HealMiddlewareOptions extends LangChainOptions {
  /** Records which tools were run, so that each call takes effect once: usually the agent's own checkpointer. */
  readonly journal?: Checkpointer
  /** Options of tools, by name. Only with a journal. */
  readonly tools?: Readonly<Record<string, ToolOptions>>
  /**
   * What happens if a tool throws. `answer` (default): the model gets the error as the result, as in LangChain without a middleware.
   * `throw`: the error is passed on to the middlewares around this one, such as one that retries. Only with a journal.
   */
  readonly toolErrors?: 'answer' | 'throw'
}

/**
 * A middleware for `createAgent`. Before each model call the history is healed for the provider of the model; a healthy one is
 * passed on unchanged. Put it last in the list, so that it sees the history as the other middlewares leave it. With a journal
 * each tool call takes effect once, and calls that a crash left open get a result in the state.
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
    // Loaded only with a journal: these modules need LangChain's classes, and healing alone does not.
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

const runIn = ({ leases }: Checkpointer, runtime: Runtime) => leases.runOf(runtime)

/** LangChain recognises middlewares by this symbol. */
const brand = { [Symbol.for('AgentMiddleware')]: true }

function checkJournal(journal: object): void {
  if ('leases' in journal) return
  throw new AntiphonError('no-journal', 'journal is not an Antiphon checkpointer', {
    hint: 'pass the checkpointer that openCheckpointer returns',
  })
}

function checkReplays(tools: Readonly<Record<string, ToolOptions>>): void {
  for (const [name, { replay }] of Object.entries(tools))
    assertChoice(`replay of the tool ${name}`, replay, ['never', 'safe'])
}
