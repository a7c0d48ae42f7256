import { setTimeout } from 'node:timers/promises'
import { type Fingerprint, fingerprint, isSameFile } from '../../../doctor/files/fingerprint.ts'
import { type Input, inputIn } from '../../../doctor/files/input.ts'
import { splitLines } from '../../../doctor/files/lines.ts'
import { historyIn } from '../../../doctor/files/read-history.ts'
import { type Source as FileSource, readSource } from '../../../doctor/files/source.ts'
import { countCalls } from '../../../heal/count.ts'
import { check } from '../../../heal/heal.ts'
import type { HealOptions } from '../../../heal/options.ts'
import type { HistoryOptions, Item, Source } from '../protocol.ts'
import { readHistory } from '../sheet/read-history.ts'
import { headOf } from './encode-document.ts'
import { mustBeTheOne, mustFit, theOne } from './limits.ts'
import type { OpenSource } from './open-source.ts'
import { pause } from './pause.ts'

/**
 * A list of messages, a whole request or messages as lines. The browser judges it, and its text goes there as it stands in
 * the file: what is kept here is the beginning alone, so that the first screen waits for nothing. What came by standard
 * input cannot be read again, and is given as it was read.
 */
export async function openHistory(source: Source, file: string | FileSource, chosen: HealOptions): Promise<OpenSource> {
  const first = await readKnown(file, chosen)
  let known = first.known
  let unjudged: Input | undefined = first.input
  const item: Item = { source: source.id, id: theOne, title: source.name, state: 'unknown' }
  let tellItem: ((item: Item) => void) | undefined
  /** The file has changed: what the list says of it is no longer true. */
  const readAgain = async (): Promise<void> => {
    const { known: next, input } = await readKnown(file, chosen)
    known = next
    void pause()
      .then(() => tellItem?.({ ...item, ...verdictOn(input, next.options) }))
      .catch(() => {})
  }
  return {
    source,
    async list({ tell, listed, signal }) {
      tellItem = tell
      tell(item)
      // A long one is judged when the page has had its beginning.
      if (known.isLong) await setTimeout(judgeAfterMs, undefined, { signal }).catch(() => {})
      await pause()
      if (unjudged && !signal.aborted) tell({ ...item, ...verdictOn(unjudged, known.options) })
      unjudged = undefined
      listed()
    },
    async document(id, extent) {
      mustBeTheOne(id, source)
      if (!isSame(file, known.print)) await readAgain()
      return extent === 'head' ? known.head : documentOf(known, (await read(file)).text)
    },
    async close() {},
  }
}

const longHistory = 10_000
const judgeAfterMs = 1_500

/** What is known of a file as long as it does not change. */
interface Known {
  readonly print: Fingerprint | undefined
  readonly name: string
  readonly isLines: boolean
  readonly isLong: boolean
  readonly options: HistoryOptions
  readonly head: readonly string[]
}

async function readKnown(file: string | FileSource, chosen: HealOptions): Promise<{ known: Known; input: Input }> {
  const print = typeof file === 'string' ? fingerprint(file) : undefined
  if (typeof file === 'string') mustFit(file, print?.size)
  const { input, options } = historyIn(inputIn(await read(file)), chosen)
  const { kind, name, history, text } = input
  const isLong = history.length > longHistory
  const whole = { print, name, isLines: kind === 'lines', isLong, options: pick(options) }
  const start = headOf(history)
  const head =
    start.length === history.length
      ? documentOf(whole, text)
      : [opening(whole), JSON.stringify(start), `,"total":${history.length}}`]
  return { known: { ...whole, head }, input }
}

function documentOf(known: Pick<Known, 'name' | 'options' | 'isLines'>, text: string): string[] {
  const values = known.isLines
    ? [
        '[',
        splitLines(text)
          .map(line => line.text)
          .join(','),
        ']',
      ]
    : [text]
  return [opening(known), ...values, '}']
}

const opening = ({ name, options }: Pick<Known, 'name' | 'options'>): string =>
  `{"kind":"history","name":${JSON.stringify(name)},"options":${JSON.stringify(options)},"value":`

const pick = ({ for: reader, format, model, continues }: HealOptions): HistoryOptions => ({
  ...(reader === undefined ? {} : { for: reader }),
  ...(format === undefined ? {} : { format }),
  ...(model === undefined ? {} : { model }),
  ...(continues === undefined ? {} : { continues }),
})

function verdictOn(input: Input, options: HistoryOptions): Pick<Item, 'state' | 'counts'> {
  return { state: isBroken(input, options) ? 'broken' : 'healthy', counts: countCalls(input.history, options) }
}

/** Of a whole request the page says what is wrong with all of it, and so does the list. */
function isBroken({ kind, history, text }: Input, options: HistoryOptions): boolean {
  if (kind !== 'body') return check(history, options).some(isError)
  const reading = readHistory(JSON.parse(text), options)
  return !('foreign' in reading) && [...reading.repairs, ...reading.remaining].some(isError)
}

const isError = ({ severity }: { readonly severity: string }): boolean => severity === 'error'

const isSame = (file: string | FileSource, print: Fingerprint | undefined): boolean =>
  typeof file !== 'string' || (print !== undefined && isSameFile(fingerprint(file), print))

const read = async (file: string | FileSource): Promise<FileSource> =>
  typeof file === 'string' ? readSource(file) : file
