import type { Codec } from '../../src/codecs/codec.ts'
import { type CodecId, codecs } from '../../src/codecs/index.ts'
import { type DialectId, dialects } from '../../src/core/dialects/index.ts'
import { minimize } from '../../src/core/minimize.ts'
import { history } from './history.ts'
import { idle } from './law.ts'
import { type LawId, laws } from './laws.ts'
import { Random } from './random.ts'
import { antiphon, type Healer, type Messages, type Subject, Trial } from './trial.ts'

export const codecIds = Object.keys(codecs) as CodecId[]
export const dialectIds = Object.keys(dialects) as DialectId[]
export const lawIds = Object.keys(laws) as LawId[]

/** The dialects that can read a shape. */
export const readersOf = (codec: CodecId): readonly DialectId[] =>
  ((codecs[codec] as Codec).acceptedBy as readonly DialectId[] | undefined) ?? dialectIds

/** Every shape with every dialect that can read it. */
export const pairs = codecIds.flatMap(codec => readersOf(codec).map(dialect => ({ codec, dialect })))

/** What a law came to over many histories. */
export interface Outcome {
  /** On how many histories it held, and on how many it was broken. It said nothing on the others. */
  held: number
  failed: number
  /** The first failures, each with the smallest history that shows it. */
  readonly shown: string[]
}

const shownMax = 3

/** Tries every law on one history after the other. */
export class LawRun {
  readonly outcomes = new Map(lawIds.map((id): [LawId, Outcome] => [id, { held: 0, failed: 0, shown: [] }]))
  tried = 0

  /** The history of a seed: by parity a corrupted conversation or a free-form one. */
  try(codec: CodecId, dialect: DialectId, seed: number): void {
    this.tried++
    const trial = new Trial(subjectOf(codec, dialect, seed))
    for (const id of lawIds) {
      const outcome = this.outcomes.get(id) as Outcome
      const wrong = breach(id, trial)
      if (wrong === idle) continue
      if (wrong === undefined) outcome.held++
      else if (outcome.failed++ < shownMax) outcome.shown.push(describe(id, trial.subject, seed, wrong))
    }
  }
}

/** In Responses some histories refer to a stored item: then a result without a visible call is not an orphan. */
function subjectOf(codec: CodecId, dialect: DialectId, seed: number): Subject {
  const { kind, messages } = history(codec, seed)
  if (codec === 'openai-responses' && seed % 16 < 2) {
    const place = new Random(seed ^ 0x1d).int(messages.length + 1)
    messages.splice(place, 0, { type: 'item_reference', id: 'msg_stored' })
  }
  return { codec, dialect, kind, messages, cuts: cutsOf(messages, seed) }
}

/** Three places to cut at, seldom in the first third: little stands before those. */
function cutsOf(messages: Messages, seed: number): number[] {
  const random = new Random(seed ^ 0x5eed)
  return [1, 2, 3].map(() => Math.ceil(messages.length * (0.3 + 0.7 * random.next())))
}

/** What is wrong by a law; an exception is wrong by every law. */
export function breach(id: LawId, trial: Trial): string | typeof idle | undefined {
  try {
    return laws[id].broken(trial)
  } catch (error) {
    return `throws ${error instanceof Error ? error.stack?.split('\n').slice(0, 3).join(' ') : error}`
  }
}

function describe(id: LawId, subject: Subject, seed: number, wrong: string): string {
  const small = smallest(id, subject, wrong)
  return [
    laws[id].title,
    `  ${subject.codec} for ${subject.dialect}, seed ${seed}: ${wrong}`,
    `  of its ${subject.messages.length} messages these are enough:`,
    ...small.map(message => `    ${JSON.stringify(message)},`),
  ].join('\n')
}

/** The smallest history that breaks a law in the same way, wherever it is cut. */
export function smallest(id: LawId, subject: Subject, wrong: string, healer: Healer = antiphon): Messages {
  return minimize(subject.messages, messages => {
    const cuts = id === 'stablePrefix' || id === 'growsAlike' ? messages.map((_, index) => index + 1) : [0]
    return cuts.some(cut => {
      const now = breach(id, new Trial({ ...subject, messages, cuts: [cut] }, healer))
      return typeof now === 'string' && kindOf(now) === kindOf(wrong)
    })
  })
}

const kindOf = (wrong: string): string => wrong.split(/[:(]/)[0]
