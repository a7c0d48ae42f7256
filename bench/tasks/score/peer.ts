import { repair } from '../../../src/index.ts'
import { read } from '../../../test/oracle/readers/read.ts'
import { accidents, classesOf } from '../../score/conversation.ts'
import { outcomeOf as outcomeInTheWild, readCorpus } from '../../score/corpus.ts'
import { optionsOf, outcomeOf } from '../../score/outcome.ts'
import { offended, readersOf } from '../../score/readers.ts'
import { asMessages, simplify } from '../../score/simple-chat.ts'
import { count, emptyTally, type Tally } from '../../score/tally.ts'
import { pairsOf } from '../../score/words.ts'
import { Inexpressible, type Subject, type Trial } from '../../subject.ts'
import type { Choice } from '../../task.ts'

/** What a peer, and antiphon beside it, make of the very same histories in the wire that the peer's are sent in. */
export interface PeerScore {
  name: string
  via: string
  format: string
  classes: Record<string, Record<'alone' | 'company', Sides>>
  corpus: Sides
}

export type Sides = Record<'peer' | 'antiphon', Tally>

export async function run(module: string, { quick }: Choice): Promise<PeerScore> {
  const { load } = (await import(new URL(`../../${module}`, import.meta.url).href)) as { load(): Promise<Subject> }
  const subject = await load()
  const readers = readersOf(subject.format)
  const classes: PeerScore['classes'] = {}
  for (const name of classesOf('openai-chat')) {
    const [alone, company] = [fresh(), fresh()]
    for (const inCompany of [false, true]) {
      const tallies = inCompany ? company : alone
      for (const { whole, broken, seed } of accidents(name, 'openai-chat', {
        count: quick ? 2 : 8,
        inCompany,
        simplify,
      })) {
        const [before, given] = [prepare(subject, whole), prepare(subject, broken)]
        if (!before || !given) continue
        const what = `${name}, seed ${seed}`
        const reader = offended(readers, before.given, given.given)
        const judged = reader ?? readers.find(one => one.refuse(before.given) === undefined)
        if (!judged) continue
        const pairs = pairsOf(read(before.given, judged.format))
        // Written anew for each, since some write into what they are given.
        const wire = structuredClone(given.given)
        count(
          tallies.peer,
          reader,
          await outcomeOf(wire, judged, pairs, async () => given.sent(await given.run())),
          what,
        )
        const healed = async () => repair(wire, optionsOf(judged)).messages as unknown[]
        count(tallies.antiphon, reader, await outcomeOf(wire, judged, pairs, healed), what)
      }
    }
    classes[name] = { alone, company }
  }
  return { name: subject.name, via: subject.via, format: subject.format, classes, corpus: await tryCorpus(subject) }
}

/** The real histories that are in the openai-chat shape, and so can be brought into the shape of any peer. */
async function tryCorpus(subject: Subject): Promise<Sides> {
  const sides = fresh()
  for (const { id, format, reader: own, messages } of readCorpus()) {
    const given = format === 'openai-chat' ? prepare(subject, messages) : undefined
    const reader = subject.format === 'openai-chat' ? own : readersOf(subject.format)[0]
    if (!given || reader?.refuse(given.given) === undefined) continue
    const wire = structuredClone(given.given)
    count(sides.peer, reader, await outcomeInTheWild(wire, reader, async () => given.sent(await given.run())), id)
    const healed = async () => repair(wire, optionsOf(reader)).messages as unknown[]
    count(sides.antiphon, reader, await outcomeInTheWild(wire, reader, healed), id)
  }
  return sides
}

const fresh = (): Sides => ({ peer: emptyTally(), antiphon: emptyTally() })

function prepare(subject: Subject, history: unknown[]): Trial | undefined {
  const messages = asMessages(history)
  try {
    return messages && subject.prepare(messages, '')
  } catch (error) {
    if (error instanceof Inexpressible) return undefined
    throw error
  }
}
