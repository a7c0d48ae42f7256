import type { Codec } from '../codecs/codec.ts'
import { type CodecId, codecs } from '../codecs/index.ts'
import type { Dialect } from '../core/dialect.ts'
import { type DialectId, dialects } from '../core/dialects/index.ts'
import { rules } from '../core/rules/index.ts'
import { detect } from './detect.ts'
import { libraryOf } from './foreign.ts'
import { decide, type HealChoices, type Plan, pick, shapeless } from './plan.ts'

export { type Plan, shapeless } from './plan.ts'

export interface HealOptions extends HealChoices {
  /** The provider that will receive the history. By default the provider whose format it is. */
  readonly for?: DialectId
  /** The shape it is written in. By default it is detected. */
  readonly format?: CodecId
}

/** Decides what the caller left open. Throws on names that do not exist: a caller's own mistake. */
export function planFor(history: unknown, options: HealOptions, find = detect): Plan {
  const named =
    options.for === undefined ? undefined : pick<Dialect>(dialects, options.for, 'unknown-dialect', 'dialect')
  const format = options.format ?? find(history, named?.codec)
  const codec = pick<Codec>(codecs, format ?? named?.codec ?? 'openai-chat', 'unknown-format', 'format')
  const dialect = named ?? dialects[codec.home as DialectId]
  const why = format === undefined ? whyForeign(history) : undefined
  return decide({ codec, rules, dialect, isNamed: options.format !== undefined, shapeless: why }, options)
}

/** Why a value in no known format is left alone. An empty list is in any of them. */
function whyForeign(history: unknown): string | undefined {
  if (!Array.isArray(history)) return shapeless
  const library = libraryOf(history)
  if (library === undefined) return history.length === 0 ? undefined : shapeless
  return `this looks like ${library} messages, which are not read: repair the requests that are made of them (healFetch, antiphon proxy)`
}
