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
  /** Hears of every history that was changed. */
  readonly onRepair?: (report: MastraReport) => void
  /** Hears why a history went on as it was although it might have needed healing. By default it is a warning of the process. */
  readonly onError?: (error: unknown) => void
}

/** What was done to a history, where, and for whom. */
export interface MastraReport extends Report {
  /** The messages as Mastra keeps them, or the prompt that it makes of them. */
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
 * An input processor for a Mastra agent. Messages are healed before Mastra makes a prompt of them, since it leaves out of
 * that whatever has no result; the prompt is healed for the provider of the model. Messages that memory holds stay there as they
 * are. A healthy history goes on as it is, and so does one that cannot be healed.
 */
export function healProcessor(options: HealProcessorOptions = {}): HealProcessor {
  const { onRepair = warnOfLoss, onError = warn, ...choices } = options
  // A name that does not exist is told to whoever wrote it, not at the first run.
  planFor([], choices)

  function treat<Healed extends Report>(
    stage: MastraReport['stage'],
    model: ModelName,
    heal: (reader: DialectId) => Healed,
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
      // A prompt says no longer whether the provider holds a part of the conversation.
      state.continues = continuesState({ prompt: [], providerOptions })
      const healed = treat('messages', model, () => {
        const sources = messageList.makeMessageSourceChecker()
        const isStored = (message: MastraDBMessage) => sources.getSource(message) === 'memory'
        return healStored(messages, choices, isStored)
      })
      return healed && { messages: healed.messages as MastraDBMessage[] }
    },

    processLLMRequest({ prompt, model, state }) {
      const known = { model: model.modelId, continues: state.continues === true }
      const healed = treat('prompt', model, reader =>
        healPrompt({ prompt, tools: declared }, reader, { ...choices, ...known }),
      )
      return healed && { prompt: healed.options.prompt as LLMRequest['prompt'] }
    },
  }
}

/** Tools are declared elsewhere: a prompt cannot add to them. */
const declared = [{ type: 'function' }]
