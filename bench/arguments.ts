import { parseArgs } from 'node:util'

export interface Arguments {
  readonly json: boolean
  readonly quick: boolean
  /** The names of parts, each of which exists. */
  readonly parts: readonly string[]
  /** The commit to compare the working tree with. */
  readonly compare?: string
}

/** Something the caller has to change: its message is all that is printed. */
export class UsageError extends Error {}

export const help = (parts: readonly string[]): string => `Usage: npm run bench -- [options] [part ...]

Measure the parts, or all of them, and write bench/RESULTS.md.
Parts: ${parts.join(', ')}.

Options:
  --compare COMMIT  Build COMMIT and the working tree apart, measure the parts of both in turns, and print
                    before, after and their ratio. Writes nothing.
  --only PARTS      The parts as one comma-separated word.
  --quick           Smaller sizes and fewer samples.
  --json            Print the figures as JSON.
  --help            Print this text.

Exit code: 0 if every target is met, 1 if one is missed or a task failed, 2 if the arguments are wrong.`

/** What the command line asks for; undefined if it asks for help. */
export function readArguments(words: readonly string[], known: readonly string[]): Arguments | undefined {
  const { values, positionals } = parse(words)
  if (values.help) return undefined
  const named = [...positionals, ...(values.only?.split(',') ?? [])]
  const unknown = named.filter(name => !known.includes(name))
  if (unknown.length > 0)
    throw new UsageError(`unknown part ${unknown.map(name => `"${name}"`).join(', ')} (one of: ${known.join(', ')})`)
  return {
    ...{ json: values.json, quick: values.quick },
    parts: named.length === 0 ? known : known.filter(name => named.includes(name)),
    ...(values.compare === undefined ? {} : { compare: values.compare }),
  }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        compare: { type: 'string' },
        help: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    const [first] = (error as Error).message.split(/\.?(?:\s*\n|\. |$)/)
    throw new UsageError(`${first} (--help lists the options)`)
  }
}
