import { codecs } from '../codecs/index.ts'
import { detect } from '../detect.ts'
import { type HealOptions, type Plan, planFor, shapeless } from '../options.ts'
import { unreadable } from '../unreadable.ts'
import { type Input, readInput } from './input.ts'
import { mostAreMessages } from './most-are-messages.ts'
import type { Parse } from './parse-json.ts'

/** A history that came in a file, and what is decided about it. */
export interface ReadHistory {
  readonly input: Input
  readonly history: readonly unknown[]
  readonly options: HealOptions
  readonly plan: Plan
}

/** Reads a file, or standard input for `-`. Throws in one clear line what keeps it from being a history in a known shape. */
export async function readHistory(file: string, chosen: HealOptions, parse?: Parse): Promise<ReadHistory> {
  return historyIn(await readInput(file, parse), chosen)
}

/** The same of what was read already. */
export function historyIn(input: Input, chosen: HealOptions): ReadHistory {
  if (input.kind === 'lines' && chosen.format === undefined && !mostAreMessages(input.history))
    throw unreadable(input.name, 'most of its lines are no messages', othersSessions)
  const options = optionsFor(input, chosen)
  const plan = planFor(input.history, options)
  if (plan.foreign !== undefined) {
    const isUnfit = plan.foreign !== shapeless
    throw unreadable(
      input.name,
      isUnfit ? plan.foreign : 'none of its messages has a known shape',
      isUnfit ? 'for any other reader, convert it first' : knownShapes,
    )
  }
  return { input, history: input.history, options, plan }
}

const othersSessions = 'sessions that other programs keep are read by antiphon doctor and antiphon view'

const knownShapes = `known are ${Object.keys(codecs).join(', ')}; --format names one`

/** The caller's choices, and what the request body says where the caller is silent. */
function optionsFor({ history, model, continues, shape, for: reader }: Input, chosen: HealOptions): HealOptions {
  const plain = planFor(history, chosen).codec.id
  const hinted = chosen.format === undefined && shape !== undefined ? detect(history, shape) : undefined
  return {
    ...(reader === undefined ? {} : { for: reader }),
    ...(model === undefined ? {} : { model }),
    ...(continues === undefined ? {} : { continues }),
    ...(hinted === undefined || hinted === plain ? {} : { format: hinted }),
    ...chosen,
  }
}
