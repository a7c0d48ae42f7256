import { Option } from 'commander'
import { codecs } from '../../codecs/index.ts'
import { dialects } from '../../core/dialects/index.ts'
import { AntiphonError, type ErrorCode } from '../../core/errors.ts'
import type { HealOptions } from '../../heal/options.ts'
import { dialectNamed } from './for-name.ts'
import { nearest } from './nearest.ts'
import { plain } from './plain.ts'
import { wrap } from './wrap.ts'

/** The options that several commands share. */
export interface Flags extends Omit<HealOptions, 'onRepair' | 'continues'> {
  readonly json?: true
  readonly all?: true
  readonly pick?: string
}

/** Error codes of values that have their own code. */
const codes: Readonly<Record<string, ErrorCode>> = { dialect: 'unknown-dialect', format: 'unknown-format' }

const dialectIds = Object.keys(dialects)

const codecIds = Object.keys(codecs)

/** The values of --for and --format, for help texts. */
export const dialectsHelp = `${['Dialects:', ...wrap(dialectIds.join(', '), 2)].join('\n')}
`
export const namesHelp = `${dialectsHelp}${['Formats:', ...wrap(codecIds.join(', '), 2)].join('\n')}
`

export const forOption = (otherwise = 'detected from the format'): Option =>
  new Option('--for <dialect>', `the provider that will receive it (default: ${otherwise})`).argParser(dialectOf([]))

export const forAnyOption = (): Option =>
  new Option(
    '--for <dialect>',
    'the provider that will receive it, or "all" (default: detected from the format)',
  ).argParser(dialectOf(['all']))

/** The model that the value of --for names, such as `gpt-5`. */
let modelOfFor: string | undefined
export const namedModel = (): string | undefined => modelOfFor

/** Accepts the id of a dialect, and also names of providers and models; then the chosen dialect is printed. */
function dialectOf(others: readonly string[]): (name: string) => string {
  const isOther = oneOf('dialect', [...dialectIds, ...others])
  return name => {
    const named = others.includes(name) ? undefined : dialectNamed(name)
    if (!named) return isOther(name)
    const { dialect, model, note } = named
    modelOfFor = model
    if (dialect !== name)
      process.stderr.write(
        `antiphon: --for ${plain(name)} is taken as ${dialect}${note === undefined ? '' : ` (${note})`}\n`,
      )
    return dialect
  }
}

export const formatOption = (): Option =>
  new Option('--format <format>', 'the format of the history (default: detected)').argParser(oneOf('format', codecIds))

/** For commands that print a history of the journal. */
export const printedFormatOption = (): Option =>
  new Option('--format <format>', "the format to print it in (default: the provider's own)").argParser(
    oneOf('format', codecIds),
  )

export const modelOption = (): Option =>
  new Option('--model <name>', 'the model, for rules that depend on it (default: the model of the request)')

export const pickOption = (): Option =>
  new Option(
    '--pick <place>',
    'the history to use if the input has several: its place, such as "line 3", or its number (in JSONL only its place)',
  )

export const jsonOption = (what = 'one JSON object per file'): Option => new Option('--json', `print ${what}`)

export const allOption = (): Option => new Option('--all', 'print all diagnostics, not only the first 50 of a file')

export const pendingOption = (): Option =>
  new Option(
    '--pending <how>',
    'open calls of the last step: "answer" them with a placeholder (default), or "keep" them open',
  ).argParser(oneOf('value of --pending', ['answer', 'keep']))

export const pendingCallsOption = (): Option =>
  new Option('--pending-calls <ids>', 'comma-separated ids of calls still in progress').argParser(list)

export const orphansOption = (): Option =>
  new Option(
    '--orphans <how>',
    'results without a call: "revive" (keep, with a made-up call; default), "quote" (as text) or "drop"',
  ).argParser(oneOf('value of --orphans', ['revive', 'quote', 'drop']))

export const repeatsOption = (): Option =>
  new Option('--repeats <how>', 'a user message that repeats the one before it: "keep" (default) or "drop"').argParser(
    oneOf('value of --repeats', ['keep', 'drop']),
  )

export const allowOption = (): Option =>
  new Option(
    '--allow <classes>',
    'comma-separated classes of edits to allow: lossless, synthetic (adds text), lossy (removes content), elevating (moves tool text into another role); default: all but elevating',
  ).argParser(classes => list(classes).map(oneOf('class of edit', ['lossless', 'synthetic', 'lossy', 'elevating'])))

const list = (text: string): string[] =>
  text
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '')

export function oneOf(word: string, names: readonly string[]): (name: string) => string {
  return name => {
    if (names.includes(name)) return name
    const [near] = nearest(name, names, 1)
    throw new AntiphonError(codes[word] ?? 'unknown-choice', `unknown ${word} "${name}"`, {
      hint: `${near === undefined ? '' : `did you mean ${near}? `}one of: ${names.join(', ')}`,
    })
  }
}

/** Reads an option that is an integer of at least `min`. */
export const integerFrom =
  (min: number, option: string) =>
  (text: string): number => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (number >= min) return number
    throw new AntiphonError('wrong-number', `${option} must be an integer of at least ${min}, got "${text}"`, {
      hint: `as in ${option} ${Math.max(min, 40)}`,
    })
  }

export const positiveInteger = (option: string): ((text: string) => number) => integerFrom(1, option)
