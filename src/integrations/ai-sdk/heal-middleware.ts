import { isRecord } from '../../core/conversation.ts'
import type { Resize } from '../../core/media/resize.ts'
import { isAnswerError, readErrorRejection } from '../../heal/rejections/error-rejection.ts'
import { healRejected, retryOptions } from '../../heal/rejections/heal-rejected.ts'
import { isResolved } from '../../heal/rejections/is-resolved.ts'
import { healLearnt, type Lessons, lessonsFor, RejectionMemory } from '../../heal/rejections/lessons.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import type { RequestOptions } from '../../heal/request/heal-request.ts'
import { ImageResizer, type ResizeImage } from '../../heal/request/image-resizer.ts'
import { lessonKey } from '../fetch/lesson-key.ts'
import { notify } from '../fetch/notify.ts'
import { type AiSdkOptions, readAiSdkOptions } from './adapter-options.ts'
import type { CallOptions } from './call-options.ts'
import { healPrompt } from './heal-prompt.ts'
import { type ModelName, modelDialect } from './model-dialect.ts'

/** A middleware for `wrapLanguageModel`, in versions 6 and 7 of the AI SDK. */
export interface HealMiddleware {
  readonly specificationVersion: 'v3'
  transformParams<Options extends CallOptions>(call: {
    readonly type: 'generate' | 'stream'
    readonly params: Options
    readonly model: ModelName
  }): Promise<Options>
  wrapGenerate<Options extends CallOptions, Result>(call: {
    readonly doGenerate: () => PromiseLike<Result>
    readonly params: Options
    readonly model: ModelName & { doGenerate(options: Options): PromiseLike<Result> }
  }): Promise<Result>
  wrapStream<Options extends CallOptions, Result>(call: {
    readonly doStream: () => PromiseLike<Result>
    readonly params: Options
    readonly model: ModelName & { doStream(options: Options): PromiseLike<Result> }
  }): Promise<Result>
}

export interface HealMiddlewareOptions extends AiSdkOptions {
  /**
   * Makes a smaller image of one that is too large for the provider, before the request is sent or after a rejection. Without it such an
   * image becomes a text.
   */
  readonly resize?: ResizeImage
}

/**
 * Heals the call options of a model, for the provider of the model. A healthy prompt is sent unchanged, and so is one that
 * cannot be repaired. If the provider rejects it with a known error message, it is repaired using that message and retried
 * once; the lesson repairs the next prompt before it is sent.
 */
export function healMiddleware({ resize, ...options }: HealMiddlewareOptions = {}): HealMiddleware {
  const { onRepair, onError, choices } = readAiSdkOptions(options)
  const memory = new RejectionMemory()
  const resizer = new ImageResizer(resize, error => notify(onError, error))

  /** The call options, repaired using lessons, a rejection, and the rules. */
  async function heal<Options extends CallOptions>(params: Options, model: ModelName, rejection?: Rejection) {
    const taught = lessonsFor(memory.recall(endpointOf(model, params)), model.modelId, params)
    try {
      const signal = params.abortSignal
      return await resizer.run(resize => healOnce(params, model, taught, rejection, resize), signal)
    } catch (error) {
      notify(onError, error)
      return undefined
    }
  }

  function healOnce<Options extends CallOptions>(
    params: Options,
    model: ModelName,
    taught: Lessons | undefined,
    rejection: Rejection | undefined,
    resize: Resize | undefined,
  ) {
    const dialect = choices.for ?? modelDialect(model)
    const reading: RequestOptions = { ...choices, for: dialect, model: model.modelId, format: 'ai-sdk', resize }
    const learnt = taught && healLearnt(params, taught, reading)
    const answered = rejection && healRejected(learnt?.body ?? params, rejection, reading)
    const strict = rejection?.history ? retryOptions(reading, rejection, 'ai-sdk') : reading
    const ruled = healPrompt(answered?.body ?? learnt?.body ?? params, strict.for ?? dialect, strict)
    const steps = [learnt, answered, ruled].filter(step => step !== undefined)
    return {
      options: ruled.options,
      dialect,
      changed: steps.some(({ changed }) => changed),
      repairs: steps.flatMap(({ repairs }) => repairs),
      remaining: steps.flatMap(({ remaining }) => remaining),
    }
  }

  async function attempt<Options extends CallOptions, Result>(
    params: Options,
    model: ModelName,
    first: () => PromiseLike<Result>,
    again: (options: Options) => PromiseLike<Result>,
  ): Promise<Result> {
    try {
      return await first()
    } catch (error) {
      const rejection = readErrorRejection(error, { request: () => JSON.stringify(params.prompt) })
      const second = rejection && (await heal(params, model, rejection))
      if (!rejection || !second?.changed) throw error
      const { options, ...report } = second
      const refusal = { status: rejection.status, fact: rejection.id }
      notify(onRepair, { ...report, model: model.modelId, refusal })
      const learn = (): void => memory.learn(endpointOf(model, params), model.modelId, rejection, params, options)
      const answer = await Promise.resolve(again(options)).catch(next => {
        const request = () => JSON.stringify(options.prompt)
        if (isResolved(rejection, readErrorRejection(next, { request }))) learn()
        throw isAnswerError(next) ? next : error
      })
      learn()
      return answer
    }
  }

  return {
    specificationVersion: 'v3',
    async transformParams({ params, model }) {
      const healed = await heal(params, model)
      if (!healed) return params
      const { options, ...report } = healed
      if (report.changed) notify(onRepair, { ...report, model: model.modelId })
      return options
    },
    wrapGenerate: ({ doGenerate, params, model }) =>
      attempt(params, model, doGenerate, options => model.doGenerate(options)),
    wrapStream: ({ doStream, params, model }) => attempt(params, model, doStream, options => model.doStream(options)),
  }
}

/**
 * Identifies the endpoint and the account of a call. All models of one provider instance have the same function for their
 * headers; another instance may have another URL or key.
 */
function endpointOf(model: ModelName & { readonly config?: unknown }, params: CallOptions): string {
  const { headers } = params as { readonly headers?: Readonly<Record<string, string | undefined>> }
  const config = isRecord(model.config) ? model.config : undefined
  const owner: object = isObject(config?.headers) ? config.headers : (config ?? model)
  let id = instances.get(owner)
  if (id === undefined) {
    id = instanceCount++
    instances.set(owner, id)
  }
  return lessonKey(`${model.provider} ${id}`, Object.entries(headers ?? {}))
}

const isObject = (value: unknown): value is object =>
  typeof value === 'function' || (typeof value === 'object' && value !== null)

const instances = new WeakMap<object, number>()
let instanceCount = 0
