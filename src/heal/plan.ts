import type { Codec } from '../codecs/codec.ts'
import { type Choices, defaultAllow, type EditClass } from '../core/choices.ts'
import { type Dialect, type Facts, factsFor } from '../core/dialect.ts'
import { AntiphonError, type ErrorCode } from '../core/errors.ts'
import type { Report } from '../core/report.ts'
import type { Rule } from '../core/rules/rule.ts'

/** What a caller can choose, whatever the shape and the reader. */
export interface HealChoices {
  /** The model, where a model family has demands of its own. */
  readonly model?: string
  /** Classes of edit: by default all but `elevating`. What is not allowed stays in `remaining`. */
  readonly allow?: readonly EditClass[]
  /** `answer` (default): the history is about to be sent. `keep`: it is being stored, and its last step may wait. */
  readonly pending?: 'answer' | 'keep'
  /** Ids of calls that are known to be still running. */
  readonly pendingCalls?: readonly string[]
  /** Results without a call: `revive` (default, with a call made up for them), `quote` (as text; elevating), `drop`. */
  readonly orphans?: 'revive' | 'quote' | 'drop'
  /** Neighbouring equal user messages: `keep` (default, a warning) or `drop`. */
  readonly repeats?: 'keep' | 'drop'
  /** Also repairs what a provider is only suspected to reject. A second attempt after a rejection does so. */
  readonly cautious?: boolean
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
  /** What the history is held to, as far as its reader insists on it. */
  readonly rules: readonly Rule[]
  readonly choices: Choices
  readonly continues: boolean
  /** Why the value cannot be read: it is in no shape that is known, or in one that the reader does not take. */
  readonly foreign: string | undefined
}

/** What the history turned out to be written in. */
interface Found {
  readonly codec: Codec
  readonly rules: readonly Rule[]
  readonly dialect: Dialect
  /** The caller has named the shape, so one that the reader does not take is the caller's mistake. */
  readonly isNamed: boolean
  /** Why it cannot be read, if it is in no format that is known. */
  readonly shapeless?: string | undefined
}

/** Decides what the caller left open. Throws on choices that do not exist: a caller's own mistake. */
export function decide({ codec, rules, dialect, isNamed, shapeless }: Found, options: HealChoices): Plan {
  const unfit = isUnfit(codec, dialect)
  if (unfit && isNamed) throw unfitPair(codec, dialect)
  for (const [name, values] of Object.entries(known)) {
    for (const value of [options[name as keyof typeof known] ?? []].flat()) pick(values, value, 'unknown-choice', name)
  }
  const facts = factsFor(dialect, options.model, options.cautious)
  const quoting = options.orphans === 'quote' && options.allow === undefined
  return {
    codec,
    dialect,
    facts: codec.asSent?.(facts, dialect.id) ?? facts,
    rules,
    continues: options.continues ?? false,
    foreign: unfit ? unfitPair(codec, dialect).message : shapeless,
    choices: {
      allow: new Set(options.allow ?? (quoting ? [...defaultAllow, 'elevating'] : defaultAllow)),
      pending: options.pending ?? 'answer',
      pendingCalls: new Set(options.pendingCalls),
      orphans: options.orphans ?? 'revive',
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
  orphans: { revive: true, quote: true, drop: true },
  repeats: { keep: true, drop: true },
}

/** The value that has this name. */
export function pick<T>(values: Readonly<Record<string, T>>, name: string, code: ErrorCode, word: string): T {
  if (Object.hasOwn(values, name)) return values[name]
  throw new AntiphonError(code, `unknown ${word} "${name}"`, {
    hint: `one of: ${Object.keys(values).join(', ')}`,
    name,
  })
}
