import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { countOperations } from './count-operations.ts'
import type { Family } from './families.ts'
import { findSteep, type Steep, type Trial } from './find-steep.ts'
import type { Work } from './works.ts'

/**
 * Prints what grows faster than its input, as one line of JSON for each three arguments: to load everything with counters takes
 * longer than most of the counting. The three are: what is done (`repair`, `trim`, ..., several of them with commas
 * between, which take turns, `rejections`, `threads` for those of a journal, `turns` for its runs, `tapes`, `approvals`, or `known` for known costs), with which
 * histories (`rules` for the examples of the rules, a format for the pairs of kinds in it, `mixed` for messages of two formats, `large`
 * for one large message before many, or `all`), and how many of them: one of so many, where 1 also takes every kind of part.
 */
const root = pathToFileURL(join(import.meta.dirname, '../../..')).href
const operations = countOperations(url => url.startsWith(`${root}/src/`) || url.endsWith('/linear/known-costs.ts'))

// Counters are put into what is loaded from here on.
const { approvalTrials } = await import('./approval-families.ts')
const { largeFamilies, mixedFamilies, numbers, pairFamilies, ruleFamilies } = await import('./families.ts')
const { kindNames, mainKinds } = await import('./pieces.ts')
const { knownCosts } = await import('./known-costs.ts')
const { rejectionTrials } = await import('./rejection-families.ts')
const { tapeTrials } = await import('./tape-families.ts')
const { threadTrials } = await import('./thread-families.ts')
const { turnTrials } = await import('./turn-families.ts')
const { works } = await import('./works.ts')
const { codecIds } = await import('../try-laws.ts')

const given = process.argv.slice(2)
for (let at = 0; at < given.length; at += 3) {
  const [work, subject, share] = given.slice(at, at + 3)
  const steep: Steep[] = []
  let [index, families] = [0, 0]
  for await (const trial of trials(work, subject, Number(share), () => families)) {
    if (index++ % Number(share) !== 0) continue
    families++
    steep.push(...(await findSteep(operations, trial)))
  }
  console.log(JSON.stringify({ families, steep }))
}

async function* trials(work: string, subject: string, stride: number, tried: () => number): AsyncGenerator<Trial> {
  if (work === 'known') {
    for (const [name, { run }] of Object.entries(knownCosts)) yield trialOf(name, numbers, run)
  } else if (work === 'rejections') yield* rejectionTrials()
  else if (work === 'threads') yield* threadTrials()
  else if (work === 'turns') yield* turnTrials()
  else if (work === 'tapes') yield* tapeTrials()
  else if (work === 'approvals') yield* approvalTrials()
  else {
    const turns = work.split(',') as Work[]
    for await (const { name, make, options } of histories(subject, stride)) {
      const turn = turns[tried() % turns.length]
      yield trialOf(`${turn}, ${name}`, make, history => works[turn](history, { onRepair() {}, ...options }))
    }
  }
}

function trialOf(name: string, make: (length: number) => unknown[], run: (made: unknown[]) => unknown): Trial {
  const prepare = (length: number): (() => unknown) => {
    const made = make(length)
    return () => run(made)
  }
  return { name, prepare }
}

async function* histories(subject: string, stride: number): AsyncGenerator<Family> {
  const kinds = stride === 1 ? kindNames : mainKinds
  if (subject === 'rules' || subject === 'all') yield* ruleFamilies()
  if (subject === 'mixed' || subject === 'all') yield* mixedFamilies(codecIds)
  if (subject === 'large') yield* largeFamilies(codecIds, kinds)
  for (const format of codecIds) if (subject === format || subject === 'all') yield* pairFamilies(format, kinds)
}
