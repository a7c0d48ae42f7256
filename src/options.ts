import type { Codec } from './codecs/codec.ts'
import { type CodecId, codecs } from './codecs/index.ts'
import { type Choices, defaultAllow, type EditClass } from './core/choices.ts'
import { type Dialect, type Facts, factsFor } from './core/dialect.ts'
import { type DialectId, dialects } from './core/dialects/index.ts'
import { detect } from './detect.ts'
import { AntiphonError } from './errors.ts'
import type { Report } from './report.ts'

export interface HealOptions {
  /** Who will read the history. By default the provider whose shape it is. */
  readonly for?: DialectId
  /** The shape it is written in. By default it is detected. */
  readonly format?: CodecId
  /** The model, where a model family has demands of its own. */
  readonly model?: string
  /** Classes of edit: by default all but `elevating`. What is not allowed stays in `remaining`. */
  readonly allow?: readonly EditClass[]
  /** `answer` (default): the history is about to be sent. `keep`: it is being stored, and its last step may wait. */
  readonly pending?: 'answer' | 'keep'
  /** Ids of calls that are known to be still running. */
  readonly pendingCalls?: readonly string[]
  /** Results without a call: `drop` (default), `revive` (with a call made up for them), `quote` (as text; elevating). */
  readonly orphans?: 'drop' | 'revive' | 'quote'
  /** Neighbouring equal user messages: `keep` (default, a warning) or `drop`. */
  readonly repeats?: 'keep' | 'drop'
  /** Part of the conversation is held by the provider: results without a visible call are no orphans. */
  readonly continues?: boolean
  /** Hears of every repair that changed something. */
  readonly onRepair?: (report: Report) => void
}

/** Options with everything decided. */
export interface Plan {
  readonly codec: Codec
  readonly dialect: Dialect
  readonly facts: Facts
  readonly choices: Choices
  readonly continues: boolean
  /** Why the value cannot be read: it is in no shape that is known, or in one that the reader does not take. */
  readonly foreign: string | undefined
}

/** Decides what the caller left open. Throws on names that do not exist: a caller's own mistake. */
export function planFor(history: unknown, options: HealOptions): Plan {
  const named =
    options.for === undefined ? undefined : pick<Dialect>(dialects, options.for, 'unknown-dialect', 'dialect')
  const format = options.format ?? detect(history, named?.codec)
  const codec = pick<Codec>(codecs, format ?? named?.codec ?? 'openai-chat', 'unknown-codec', 'format')
  const dialect = named ?? dialects[codec.home as DialectId]
  const unfit = isUnfit(codec, dialect)
  if (unfit && options.format !== undefined) throw unfitPair(codec, dialect)
  for (const [name, values] of Object.entries(known)) {
    for (const value of [options[name as keyof typeof known] ?? []].flat()) pick(values, value, 'unknown-choice', name)
  }
  const isShapeless = format === undefined && !(Array.isArray(history) && history.length === 0)
  const quoting = options.orphans === 'quote' && options.allow === undefined
  return {
    codec,
    dialect,
    facts: factsFor(dialect, options.model),
    continues: options.continues ?? false,
    foreign: unfit ? unfitPair(codec, dialect).message : isShapeless ? shapeless : undefined,
    choices: {
      allow: new Set(options.allow ?? (quoting ? [...defaultAllow, 'elevating'] : defaultAllow)),
      pending: options.pending ?? 'answer',
      pendingCalls: new Set(options.pendingCalls),
      orphans: options.orphans ?? 'drop',
      repeats: options.repeats ?? 'keep',
    },
  }
}

export const shapeless = 'this is not a list of messages in the shape it is read as'

const isUnfit = ({ readers }: Codec, { id }: Dialect): boolean => readers !== undefined && !readers.includes(id)

const unfitPair = ({ id, readers = [] }: Codec, dialect: Dialect): AntiphonError =>
  new AntiphonError('unfit-pair', `${dialect.id} does not read the shape ${id}, only these do: ${readers.join(', ')}`, {
    hint: 'for any other reader, convert it first',
    codec: id,
    dialect: dialect.id,
  })

/** The values of each choice. */
const known = {
  allow: { lossless: true, synthetic: true, lossy: true, elevating: true },
  pending: { answer: true, keep: true },
  orphans: { drop: true, revive: true, quote: true },
  repeats: { keep: true, drop: true },
}

function pick<T>(values: Readonly<Record<string, T>>, name: string, code: string, word: string): T {
  if (Object.hasOwn(values, name)) return values[name]
  throw new AntiphonError(code, `there is no ${word} "${name}"`, {
    hint: `one of: ${Object.keys(values).join(', ')}`,
    name,
  })
}
