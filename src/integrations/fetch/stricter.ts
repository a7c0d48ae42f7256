import type { Codec } from '../../codecs/codec.ts'
import { type CodecId, codecs } from '../../codecs/index.ts'
import type { DialectId } from '../../core/dialects/index.ts'
import type { HealOptions } from '../../heal/options.ts'
import type { Refusal } from './refusals.ts'

/** The options for a second try: nothing waits, nothing without a call or in doubt stays, and the reader is the one that refused. */
export function stricter(options: HealOptions, refusal: Refusal, reader: DialectId, format: CodecId): HealOptions {
  const { readers }: Codec = codecs[format]
  return {
    ...options,
    // A wire that few can read is read by its own provider, whoever's words that one passes on.
    for: readers === undefined ? (refusal.reader ?? reader) : reader,
    pending: 'answer',
    cautious: true,
    orphans: 'drop',
    ...(refusal.model === undefined ? {} : { model: refusal.model }),
    ...(refusal.orphan ? { continues: false } : {}),
  }
}
