import type { CodecId } from '../../../src/codecs/index.ts'
import { repair } from '../../../src/index.ts'
import { read } from '../../../test/oracle/readers/read.ts'
import { accidents, classesOf } from '../../score/conversation.ts'
import { outcomeOf as outcomeInTheWild, readCorpus } from '../../score/corpus.ts'
import { optionsOf, outcomeOf } from '../../score/outcome.ts'
import { offended, readersOf } from '../../score/readers.ts'
import { count, emptyTally, type Tally } from '../../score/tally.ts'
import { pairsOf } from '../../score/words.ts'
import type { Choice } from '../../task.ts'

/** What antiphon makes of the histories of one codec, with everything in them that the wire can say. */
export interface CodecScore {
  codec: CodecId
  classes: Record<string, Record<'alone' | 'company', Tally>>
  corpus: Tally
}

export async function run(codec: CodecId, { quick }: Choice): Promise<CodecScore> {
  const readers = readersOf(codec)
  const classes: CodecScore['classes'] = {}
  for (const name of classesOf(codec)) {
    const tallies = { alone: emptyTally(), company: emptyTally() }
    for (const company of ['alone', 'company'] as const) {
      const inCompany = company === 'company'
      for (const { whole, broken, seed } of accidents(name, codec, { count: quick ? 2 : 8, inCompany })) {
        const reader = offended(readers, whole, broken)
        const judged = reader ?? readers.find(one => one.refuse(whole) === undefined)
        if (!judged) continue
        const healed = async () => repair(broken, optionsOf(judged)).messages as unknown[]
        const outcome = await outcomeOf(broken, judged, pairsOf(read(whole, codec)), healed)
        count(tallies[company], reader, outcome, `${name}, seed ${seed}`)
      }
    }
    classes[name] = tallies
  }
  return { codec, classes, corpus: await tryCorpus(codec) }
}

async function tryCorpus(codec: CodecId): Promise<Tally> {
  const tally = emptyTally()
  for (const { id, format, reader, messages } of readCorpus()) {
    if (format !== codec || !reader) continue
    const isRefused = reader.refuse(messages) !== undefined
    const healed = async () => repair(messages, optionsOf(reader)).messages as unknown[]
    count(tally, isRefused ? reader : undefined, await outcomeInTheWild(messages, reader, healed), id)
  }
  return tally
}
