import type { MastraDBMessage } from '@mastra/core/agent'
import type { ProcessInputStepArgs, ProcessInputStepResult, Processor } from '@mastra/core/processors'
import type { DialectId } from '../../core/dialects/index.ts'
import type { Report } from '../../core/report.ts'
import { type HealOptions, planFor } from '../../heal/options.ts'
import { warn, warnOfLoss } from '../../heal/warn.ts'
import { continuesState } from '../ai-sdk/call-options.ts'
import { healPrompt } from '../ai-sdk/heal-prompt.ts'
import { type ModelName, modelDialect } from '../ai-sdk/model-dialect.ts'
import { notify } from '../fetch/notify.ts'
import { healStored } from './heal-stored.ts'

export interface HealProcessorOptions extends Omit<HealOptions, 'format' | 'continues' | 'onRepair' | 'model'> {
  /** Called for every history that was changed. */
  readonly onRepair?: (report: MastraReport) => void
  /** Called with the error if healing failed and the history was passed on unchanged. By default it is a process warning. */
  readonly onError?: (error: unknown) => void
}

/** What was changed in a history, at which stage, and for which provider. */
export interface MastraReport extends Report {
  /** `messages`: as Mastra stores them. `prompt`: as Mastra sends them to the model. */
  readonly stage: 'messages' | 'prompt'
  readonly dialect: DialectId
  readonly model: string
}

type LLMRequest = Parameters<NonNullable<Processor['processLLMRequest']>>[0]

export interface HealProcessor extends Processor<'antiphon-heal'> {
  processInputStep(args: ProcessInputStepArgs): ProcessInputStepResult | undefined
  processLLMRequest(args: LLMRequest): { prompt: LLMRequest['prompt'] } | undefined
}

/**
 * An input processor for a Mastra agent. Messages are healed before Mastra makes a prompt of them, because the prompt omits calls
 * without a result. The prompt is then healed for the provider of the model. Messages in Mastra's memory are not changed. A healthy history is
 * passed on unchanged, and so is one that cannot be healed.
 */
export function healProcessor(options: HealProcessorOptions = {}): HealProcessor {
  const { onRepair = warnOfLoss, onError = warn, ...choices } = options
  // Unknown names throw here, not at the first run.
  planFor([], choices)

  function healAndReport<Healed extends Report>(
    stage: MastraReport['stage'],
    model: ModelName,
    heal: (dialect: DialectId) => Healed,
  ): Healed | undefined {
    try {
      const dialect = choices.for ?? modelDialect(model)
      const healed = heal(dialect)
      const { changed, repairs, remaining } = healed
      if (!changed) return undefined
      notify(onRepair, { stage, changed, repairs, remaining, dialect, model: model.modelId })
      return healed
    } catch (error) {
      notify(onError, error)
      return undefined
    }
  }

  return {
    id: 'antiphon-heal',
    name: 'Antiphon',

    processInputStep({ messages, messageList, model, state, providerOptions }) {
      // The prompt does not show whether the provider stores a part of the conversation.
      state.continues = continuesState({ prompt: [], providerOptions })
      const healed = healAndReport('messages', model, () => {
        const sources = messageList.makeMessageSourceChecker()
        const isStored = (message: MastraDBMessage) => sources.getSource(message) === 'memory'
        return healStored(messages, choices, isStored)
      })
      return healed && { messages: healed.messages as MastraDBMessage[] }
    },

    processLLMRequest({ prompt, model, state }) {
      const known = { model: model.modelId, continues: state.continues === true }
      const healed = healAndReport('prompt', model, dialect =>
        healPrompt({ prompt, tools: declared }, dialect, { ...choices, ...known }),
      )
      return healed && { prompt: healed.options.prompt as LLMRequest['prompt'] }
    },
  }
}

/** Tools are declared elsewhere: a prompt cannot add to them. */
const declared = [{ type: 'function' }]
