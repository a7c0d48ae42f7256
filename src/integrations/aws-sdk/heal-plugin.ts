import type { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import type { CodecId } from '../../codecs/index.ts'
import type { DialectId } from '../../core/dialects/index.ts'
import { equal } from '../../core/json/equal.ts'
import type { Report } from '../../core/report.ts'
import { type HealOptions, planFor } from '../../heal/options.ts'
import { isAnswerError, readErrorRejection } from '../../heal/rejections/error-rejection.ts'
import { isResolved } from '../../heal/rejections/is-resolved.ts'
import { RejectionMemory } from '../../heal/rejections/lessons.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import { ImageResizer, type ResizeImage } from '../../heal/request/image-resizer.ts'
import { warn, warnOfLoss } from '../../heal/warn.ts'
import { notify } from '../fetch/notify.ts'
import { type HealedInput, healInput, requestIn } from './heal-input.ts'

export interface HealPluginOptions extends Omit<HealOptions, 'for' | 'format' | 'continues' | 'onRepair'> {
  /** Called for every command that was changed. */
  readonly onRepair?: (report: AwsReport) => void
  /** Called with the error if healing failed and the command was sent unchanged. By default it is a process warning. */
  readonly onError?: (error: unknown) => void
  /**
   * Makes a smaller image of one that is too large for the provider, before the command is sent or after a rejection. Without it such an
   * image becomes a text.
   */
  readonly resize?: ResizeImage
}

/** What was changed in a command. */
export interface AwsReport extends Report {
  /** The name of the command, such as `ConverseCommand`. */
  readonly command: string
  readonly dialect: DialectId
  readonly format: CodecId
  readonly model?: string
  /** The rejection of the first attempt, if this is the second one. */
  readonly refusal?: { readonly status: number; readonly fact: string }
}

type Stack = BedrockRuntimeClient['middlewareStack']
type Plugin = Parameters<Stack['use']>[0]

/**
 * A plugin for the middleware of a `BedrockRuntimeClient`: it heals the histories in its commands before they are
 * serialised and signed. Healthy commands, and commands without a history, are passed on unchanged. The caller's input is never changed. If
 * the service rejects a command with a known error, the command is repaired using that error and retried once. The next command of the same
 * client is then repaired before it is sent.
 */
export function healPlugin(options: HealPluginOptions = {}): Plugin {
  const { onRepair = warnOfLoss, onError = warn, resize, ...choices } = options
  // Unknown names throw here, not at the first command.
  planFor([], choices)
  const resizer = new ImageResizer(resize, error => notify(onError, error))

  async function heal(
    command: string,
    input: object,
    memory: RejectionMemory,
    rejection?: Rejection,
  ): Promise<HealedInput | undefined> {
    try {
      const after = { rejection, lessons: memory.recall(endpoint) }
      return await resizer.run(resize => healInput(command, input, { ...choices, resize }, after))
    } catch (error) {
      notify(onError, error)
      return undefined
    }
  }

  /** Remembers what the service rejected and what it accepted instead. */
  function learn(
    memory: RejectionMemory,
    rejection: Rejection,
    input: object,
    first: HealedInput,
    second: HealedInput,
  ): void {
    try {
      const [whole, before, after] = [input, first.input, second.input].map(requestIn)
      memory.learn(endpoint, second.model, rejection, before, after, whole)
    } catch (error) {
      notify(onError, error)
    }
  }

  function report(command: string, healed: HealedInput, refused?: Refused): void {
    const { changed, repairs, remaining, dialect, format, model } = healed
    notify(onRepair, {
      ...{ command, changed, repairs, remaining, dialect, format },
      ...(model === undefined ? {} : { model }),
      ...(refused && { refusal: { status: refused.status, fact: refused.rejection.id } }),
    })
  }

  return {
    applyToStack(stack) {
      // A client has its own account and region: what it learns is not applied to another.
      const memory = new RejectionMemory()
      stack.add(
        (next, { commandName: command = '' }) =>
          async args => {
            const first = await heal(command, args.input, memory)
            if (!first) return next(args)
            const send = (input: object) => next({ ...args, input: input as typeof args.input })
            if (first.changed) report(command, first)
            try {
              return await (first.changed ? send(first.input) : next(args))
            } catch (error) {
              const refused = readRefused(error, first.input)
              if (!refused) throw error
              const second = await heal(command, args.input, memory, refused.rejection)
              if (!second?.changed || equal(second.input, first.input)) throw error
              report(command, second, refused)
              const answer = await send(second.input).catch(again => {
                if (isResolved(refused.rejection, readRefused(again, second.input)?.rejection))
                  learn(memory, refused.rejection, args.input, first, second)
                throw isAnswerError(again) ? again : error
              })
              learn(memory, refused.rejection, args.input, first, second)
              return answer
            }
          },
        // Runs after all other middlewares that change the input, and once, even if the plugin is added several times.
        { step: 'serialize', priority: 'high', name: 'antiphonHeal', override: true },
      )
    },
  }
}

/** The key of the memory: a client has one endpoint. */
const endpoint = 'bedrock'

interface Refused {
  readonly status: number
  readonly rejection: Rejection
}

/** The rejection in an error of the service; undefined for any other error. */
function readRefused(error: unknown, request: unknown): Refused | undefined {
  const { $metadata } = (error ?? {}) as { $metadata?: { httpStatusCode?: number } }
  const status = $metadata?.httpStatusCode
  if (status === undefined) return undefined
  const rejection = readErrorRejection(error, { request: () => JSON.stringify(request) })
  // The answer would name the renamed tools, which the caller does not know.
  return rejection && rejection.kind !== 'tool-name' ? { status, rejection } : undefined
}
