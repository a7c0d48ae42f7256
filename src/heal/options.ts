import type { Codec } from '../codecs/codec.ts'
import { type CodecId, codecs } from '../codecs/index.ts'
import type { Dialect } from '../core/dialect.ts'
import { type DialectId, dialects } from '../core/dialects/index.ts'
import { rules } from '../core/rules/index.ts'
import { detectFormat } from './detect.ts'
import { identifyLibrary, isOfApi } from './identify-library.ts'
import { type HealChoices, type HealPlan, lookUp, makePlan, unknownFormat } from './plan.ts'

export { type HealPlan, unknownFormat } from './plan.ts'

export interface HealOptions extends HealChoices {
  /** The provider that will receive the history. By default the provider whose format it is. */
  readonly for?: DialectId
  /** The format of the history. By default it is detected. */
  readonly format?: CodecId
}

/** Completes the options of the caller. Throws on unknown names. */
export function planFor(history: unknown, options: HealOptions, find = detectFormat): HealPlan {
  const named =
    options.for === undefined ? undefined : lookUp<Dialect>(dialects, options.for, 'unknown-dialect', 'dialect')
  const format = options.format ?? find(history, named?.codec)
  const codec = lookUp<Codec>(codecs, format ?? named?.codec ?? 'openai-chat', 'unknown-format', 'format')
  const dialect = named ?? dialects[codec.home as DialectId]
  const why = format === undefined ? unknownReason(history) : undefined
  return makePlan({ codec, rules, dialect, isNamed: options.format !== undefined, unreadable: why }, options)
}

/** Why a value in an unknown format is left alone. An empty list fits every format. */
function unknownReason(history: unknown): string | undefined {
  if (!Array.isArray(history)) return unknownFormat
  const library = identifyLibrary(history)
  if (library === undefined) return history.length === 0 ? undefined : unknownFormat
  const known = `this looks like ${library} messages, which are not supported`
  return isOfApi(library) ? known : `${known}: repair the requests made from them instead (healFetch, antiphon proxy)`
}
