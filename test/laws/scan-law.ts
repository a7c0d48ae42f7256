import type { CodecId } from '../../src/codecs/index.ts'
import { codecs } from '../../src/codecs/index.ts'
import type { DialectId } from '../../src/core/dialects/index.ts'
import { corruptionsFor } from './corruptions.ts'
import { doubtful } from './doubtful.ts'
import { history, natives, validHistory } from './history.ts'
import { idle } from './law.ts'
import { Random } from './random.ts'
import { singleEdits } from './single-edits.ts'
import { tinyHistory } from './tiny-history.ts'
import { Trial } from './trial.ts'
import { breach, readersOf } from './try-laws.ts'

/** What the law came to: how many histories the scan passed, and the first of them that it should not have passed. */
export interface ScanOutcome {
  passed: number
  failure: string | undefined
}

/** Tries the law of the scan on valid and nearly valid histories of a format, until one breaks it. */
export function tryScan(codec: CodecId, seeds: readonly number[]): ScanOutcome {
  const outcome: ScanOutcome = { passed: 0, failure: undefined }
  for (const seed of seeds) {
    if (outcome.failure !== undefined) break
    const random = new Random(seed)
    const { messages } = validHistory(codec, seed)
    const cut = messages.slice(0, random.range(1, messages.length))
    const kinds = [messages, cut, ...nearlyValid(codec, seed, [messages, cut], random)]
    for (const [index, history] of kinds.entries()) tryHistory(codec, readerAt(codec, seed, index), history, outcome)
  }
  return outcome
}

/** Tries the law of the scan on short histories for every dialect, until one breaks it. */
export function tryTinyScan(codec: CodecId, seeds: number): ScanOutcome {
  const outcome: ScanOutcome = { passed: 0, failure: undefined }
  for (const history of doubtful[codec] ?? [])
    for (const dialect of readersOf(codec)) tryHistory(codec, dialect, history, outcome)
  for (let seed = 0; seed < seeds && outcome.failure === undefined; seed++) {
    const history = tinyHistory(codec, new Random(seed))
    for (const dialect of readersOf(codec)) tryHistory(codec, dialect, history, outcome)
  }
  return outcome
}

/**
 * Tries the law of the scan on what is one edit away from short conversations that it passes, until one breaks it; on those
 * that are chosen, by their number from 1 on.
 */
export function tryEditedScan(codec: CodecId, isChosen = (_: number): boolean => true): ScanOutcome {
  const outcome: ScanOutcome = { passed: 0, failure: undefined }
  let index = 0
  for (const base of basesOf(codec))
    for (const edited of singleEdits(base)) {
      if (!isChosen(++index)) continue
      const readers = [0, 1].map(at => readerAt(codec, index, at))
      for (const dialect of new Set(readers)) tryHistory(codec, dialect, edited as unknown[], outcome)
      if (outcome.failure !== undefined) return outcome
    }
  return outcome
}

/** Short valid conversations with calls that the scan passes: a few, since each is edited in thousands of ways. */
function basesOf(codec: CodecId): unknown[][] {
  const bases: unknown[][] = []
  for (let seed = 0; bases.length < 2 && seed < 1_000; seed++) {
    const { messages } = validHistory(codec, seed)
    const passed: ScanOutcome = { passed: 0, failure: undefined }
    if (messages.length > 14 || !messages.some(message => codecs[codec].callIds(message).length > 0)) continue
    tryHistory(codec, codecs[codec].home as DialectId, messages, passed)
    if (passed.passed > 0) bases.push(messages)
  }
  return bases
}

function tryHistory(codec: CodecId, dialect: DialectId, messages: readonly unknown[], outcome: ScanOutcome): void {
  const wrong = breach('scanIsRight', new Trial({ codec, dialect, kind: 'valid', messages, cuts: [] }))
  if (wrong === idle) return
  outcome.passed++
  if (wrong !== undefined) outcome.failure ??= `${codec} for ${dialect}: ${wrong}: ${JSON.stringify(messages)}`
}

const readerAt = (codec: CodecId, seed: number, index: number): DialectId =>
  index === 0 ? (codecs[codec].home as DialectId) : readersOf(codec)[(seed + index) % readersOf(codec).length]

/** With one corruption, or in a format that is translated, with as many as the history has. */
function nearlyValid(codec: CodecId, seed: number, valid: unknown[][], random: Random): unknown[][] {
  const native = natives.find(id => id === codec)
  if (!native) return [history(codec, 2 * seed).messages, history(codec, 2 * seed + 1).messages]
  const corruption = random.pick(corruptionsFor(native))
  return valid.map(messages => corruption.apply(messages, random))
}
