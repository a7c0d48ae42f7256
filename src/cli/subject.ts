import { codecs } from '../codecs/index.ts'
import { detect } from '../detect.ts'
import { AntiphonError } from '../errors.ts'
import { type Input, readInput } from '../files/input.ts'
import type { Parse } from '../files/parse-json.ts'
import { type HealOptions, type Plan, planFor, shapeless } from '../options.ts'
import { reasonOf, unreadable } from '../unreadable.ts'
import { complaint } from './complaint.ts'
import { exitWith } from './exit.ts'
import type { Flags } from './flags.ts'

/** What a command works on: an input, and what is decided about it. */
export interface Subject {
  readonly input: Input
  readonly history: readonly unknown[]
  readonly options: HealOptions
  readonly plan: Plan
}

/** Visits all files; one that cannot be read costs a line and the exit code, and the others go on. */
export async function eachSubject(
  files: readonly string[],
  flags: Flags,
  parse: Parse,
  see: (subject: Subject) => void,
): Promise<void> {
  for (const file of files.length === 0 ? ['-'] : files) {
    try {
      see(await readSubject(file, flags, parse))
    } catch (error) {
      process.stderr.write(`${complaint(AntiphonError.is(error) ? error : unreadable(file, reasonOf(error)))}\n`)
      exitWith('unreadable')
    }
  }
}

async function readSubject(file: string, flags: Flags, parse: Parse): Promise<Subject> {
  const input = await readInput(file, parse)
  const options = optionsFor(input, flags)
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

const knownShapes = `known are ${Object.keys(codecs).join(', ')}; --format names one`

/** The caller's choices, and what the request body says where the caller is silent. */
function optionsFor({ history, model, continues, shape, for: reader }: Input, flags: Flags): HealOptions {
  const { json: _json, all: _all, ...chosen } = flags
  const plain = planFor(history, chosen).codec.id
  const hinted = flags.format === undefined && shape !== undefined ? detect(history, shape) : undefined
  return {
    ...(reader === undefined ? {} : { for: reader }),
    ...(model === undefined ? {} : { model }),
    ...(continues === undefined ? {} : { continues }),
    ...(hinted === undefined || hinted === plain ? {} : { format: hinted }),
    ...chosen,
  }
}
