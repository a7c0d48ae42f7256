import type { Codec } from './codecs/codec.ts'
import { type CodecId, codecs } from './codecs/index.ts'
import type { Dialect } from './core/dialect.ts'
import { type DialectId, dialects } from './core/dialects/index.ts'
import { rules } from './core/rules/index.ts'
import { detect } from './detect.ts'
import { decide, type HealChoices, type Plan, pick } from './plan.ts'

export { type Plan, shapeless } from './plan.ts'

export interface HealOptions extends HealChoices {
  /** Who will read the history. By default the provider whose shape it is. */
  readonly for?: DialectId
  /** The shape it is written in. By default it is detected. */
  readonly format?: CodecId
}

/** Decides what the caller left open. Throws on names that do not exist: a caller's own mistake. */
export function planFor(history: unknown, options: HealOptions): Plan {
  const named =
    options.for === undefined ? undefined : pick<Dialect>(dialects, options.for, 'unknown-dialect', 'dialect')
  const format = options.format ?? detect(history, named?.codec)
  const codec = pick<Codec>(codecs, format ?? named?.codec ?? 'openai-chat', 'unknown-codec', 'format')
  const dialect = named ?? dialects[codec.home as DialectId]
  const isShapeless = format === undefined && !(Array.isArray(history) && history.length === 0)
  return decide({ codec, rules, dialect, isNamed: options.format !== undefined, isShapeless }, options)
}
