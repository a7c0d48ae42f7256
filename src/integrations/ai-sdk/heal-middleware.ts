import { notify } from '../fetch/notify.ts'
import { type AiSdkOptions, readOptions } from './adapter-options.ts'
import type { CallOptions } from './call-options.ts'
import { healPrompt } from './heal-prompt.ts'
import { type ModelName, readerOf } from './reader.ts'

/** A middleware that `wrapLanguageModel` takes, in versions 6 and 7 of the AI SDK. */
export interface HealMiddleware {
  readonly specificationVersion: 'v3'
  transformParams<Options extends CallOptions>(call: {
    readonly type: 'generate' | 'stream'
    readonly params: Options
    readonly model: ModelName
  }): Promise<Options>
}

/**
 * Heals what a model is asked with, for the provider that the model belongs to. A healthy prompt goes on as it is, and so
 * does one that cannot be healed.
 */
export function healMiddleware(options: AiSdkOptions = {}): HealMiddleware {
  const { onRepair, onError, choices } = readOptions(options)
  return {
    specificationVersion: 'v3',
    async transformParams({ params, model }) {
      try {
        const dialect = choices.for ?? readerOf(model)
        const { modelId } = model
        const { options, changed, repairs, remaining } = healPrompt(params, dialect, { ...choices, model: modelId })
        if (changed) notify(onRepair, { changed, repairs, remaining, dialect, model: modelId })
        return options
      } catch (error) {
        notify(onError, error)
        return params
      }
    },
  }
}
