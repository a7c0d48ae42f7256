import type { Codec } from '../codecs/codec.ts'
import { type Choices, defaultAllow, type EditClass } from '../core/choices.ts'
import { type Dialect, type Facts, factsFor } from '../core/dialect.ts'
import { AntiphonError, type ErrorCode } from '../core/errors.ts'
import type { Report } from '../core/report.ts'
import type { Rule } from '../core/rules/rule.ts'

/** The options that every format and provider has. */
export interface HealChoices {
  /** The model, where a model family has other requirements. */
  readonly model?: string
  /** Classes of edit: by default all but `elevating`. What is not allowed stays in `remaining`. */
  readonly allow?: readonly EditClass[]
  /**
   * `answer` (default): the history is about to be sent. `keep`: it is being stored, and calls of its last step may
   * stay open.
   */
  readonly pending?: 'answer' | 'keep'
  /** Ids of calls that are known to be still running. */
  readonly pendingCalls?: readonly string[]
  /** Results without a call: `revive` (default, with a call made up for them), `quote` (as text; elevating), `drop`. */
  readonly orphans?: 'revive' | 'quote' | 'drop'
  /** Adjacent equal user messages: `keep` (default, a warning) or `drop`. */
  readonly repeats?: 'keep' | 'drop'
  /** Also repairs what a provider is only suspected to reject. A second attempt after a rejection does so. */
  readonly cautious?: boolean
  /** The provider stores part of the conversation: results without a visible call are not orphans. */
  readonly continues?: boolean
  /** Called with the report of every repair that changed something. */
  readonly onRepair?: (report: Report) => void
}

/** The completed options. */
export interface HealPlan {
  readonly codec: Codec
  readonly dialect: Dialect
  readonly facts: Facts
  /** The rules for the format; those that the dialect does not need do not apply. */
  readonly rules: readonly Rule[]
  readonly choices: Choices
  readonly continues: boolean
  /** Why the value cannot be read: its format is unknown, or the provider does not accept it. */
  readonly unreadable: string | undefined
}

/** The detected or named format, and the dialect. */
interface DetectedFormat {
  readonly codec: Codec
  readonly rules: readonly Rule[]
  readonly dialect: Dialect
  /** The caller named the format, so a format that the provider does not accept is an error of the caller. */
  readonly isNamed: boolean
  /** Why it cannot be read, if its format is unknown. */
  readonly unreadable?: string | undefined
}

/** Completes the options of the caller. Throws on unknown choices. */
export function makePlan(
  { codec, rules, dialect, isNamed, unreadable }: DetectedFormat,
  options: HealChoices,
): HealPlan {
  const unfit = isUnfit(codec, dialect)
  if (unfit && isNamed) throw unfitPair(codec, dialect)
  for (const [name, values] of Object.entries(known)) {
    for (const value of [options[name as keyof typeof known] ?? []].flat())
      lookUp(values, value, 'unknown-choice', `value of ${name}:`)
  }
  const facts = factsFor(dialect, options.model, options.cautious)
  const quoting = options.orphans === 'quote' && options.allow === undefined
  return {
    codec,
    dialect,
    facts: codec.asSent?.(facts, dialect.id) ?? facts,
    rules,
    continues: options.continues ?? false,
    unreadable: unfit ? unfitPair(codec, dialect).message : unreadable,
    choices: {
      allow: new Set(options.allow ?? (quoting ? [...defaultAllow, 'elevating'] : defaultAllow)),
      pending: options.pending ?? 'answer',
      pendingCalls: new Set(options.pendingCalls),
      orphans: options.orphans ?? 'revive',
      repeats: options.repeats ?? 'keep',
    },
  }
}

export const unknownFormat = 'this is not a list of messages in the expected format'

const isUnfit = ({ acceptedBy }: Codec, { id }: Dialect): boolean =>
  acceptedBy !== undefined && !acceptedBy.includes(id)

const unfitPair = ({ id, acceptedBy = [] }: Codec, dialect: Dialect): AntiphonError =>
  new AntiphonError(
    'unfit-pair',
    `${dialect.id} does not accept the format ${id}; it is accepted by: ${acceptedBy.join(', ')}`,
    {
      hint: 'for any other provider, convert the history first',
      codec: id,
      dialect: dialect.id,
    },
  )

/** The values of each choice. */
const known = {
  allow: { lossless: true, synthetic: true, lossy: true, elevating: true },
  pending: { answer: true, keep: true },
  orphans: { revive: true, quote: true, drop: true },
  repeats: { keep: true, drop: true },
}

/** Looks up a value by name. Throws if the name is unknown. */
export function lookUp<T>(values: Readonly<Record<string, T>>, name: string, code: ErrorCode, word: string): T {
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  if (value !== undefined) return value
  throw new AntiphonError(code, `unknown ${word} "${name}"`, {
    hint: `one of: ${Object.keys(values).join(', ')}`,
    name,
  })
}
