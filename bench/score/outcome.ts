import { read } from '../../test/oracle/readers/read.ts'
import type { Reader } from './readers.ts'
import type { Outcome } from './tally.ts'
import { findLoss, type Pairs } from './words.ts'

/** What antiphon is told: who is to read the history. */
export const optionsOf = ({ dialect, format, model }: Reader) => ({
  for: dialect,
  format,
  ...(model !== undefined && { model }),
})

/** Healed is what the reader takes and nothing is missing from. */
export async function outcomeOf(
  before: unknown[],
  reader: Reader,
  pairs: Pairs,
  heal: () => Promise<unknown[]>,
): Promise<Outcome> {
  let after: unknown[]
  try {
    after = await heal()
  } catch (error) {
    return { failure: 'throws', why: error instanceof Error ? error.message : String(error) }
  }
  const refused = reader.refuse(after)
  if (refused !== undefined) return { failure: 'refused', why: `${reader.dialect} says: ${refused}` }
  const loss = findLoss(read(before, reader.format), read(after, reader.format), pairs)
  return loss === undefined ? undefined : { failure: 'lost', why: `for ${reader.dialect}: ${loss}` }
}
