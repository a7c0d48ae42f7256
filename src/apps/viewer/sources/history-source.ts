import { setTimeout } from 'node:timers/promises'
import { type Fingerprint, fingerprint, isSameFile } from '../../../doctor/files/fingerprint.ts'
import { type Input, inputIn } from '../../../doctor/files/input.ts'
import { splitLines } from '../../../doctor/files/lines.ts'
import { historyIn } from '../../../doctor/files/read-history.ts'
import { type SourceText as FileSource, readSource } from '../../../doctor/files/source.ts'
import { countCalls } from '../../../heal/count.ts'
import { check } from '../../../heal/heal.ts'
import type { HealOptions } from '../../../heal/options.ts'
import { decodeHistoryDocument } from '../document/decode-history.ts'
import type { CatalogueItem, HistoryOptions, SourceInfo } from '../protocol.ts'
import { firstMessages } from './encode-document.ts'
import { assertOnlyItem, assertSize, onlyItemId } from './limits.ts'
import type { OpenSource } from './open-source.ts'
import { pause } from './pause.ts'

/**
 * A file with a list of messages, a request body, or one message per line. The browser decodes it and gets the text of the file unchanged.
 * Only the head is kept in memory, so that the first screen does not wait. Standard input cannot be read again, so all of it is kept.
 */
export async function openHistory(
  source: SourceInfo,
  file: string | FileSource,
  chosen: HealOptions,
): Promise<OpenSource> {
  const first = await readKnown(file, chosen)
  let known = first.known
  let unchecked: Input | undefined = first.input
  const item: CatalogueItem = { source: source.id, id: onlyItemId, title: source.name, state: 'unknown' }
  let updateItem: ((item: CatalogueItem) => void) | undefined
  /** The file has changed: it is checked again. */
  const readAgain = async (): Promise<void> => {
    const { known: next, input } = await readKnown(file, chosen)
    known = next
    void pause()
      .then(() => updateItem?.({ ...item, ...verdictOn(input, next.options) }))
      .catch(() => {})
  }
  return {
    source,
    async list({ onItem, onListed, signal }) {
      updateItem = onItem
      onItem(item)
      // A long file is checked after the page has loaded its head.
      if (known.isLong) await setTimeout(checkAfterMs, undefined, { signal }).catch(() => {})
      await pause()
      if (unchecked && !signal.aborted) onItem({ ...item, ...verdictOn(unchecked, known.options) })
      unchecked = undefined
      onListed()
    },
    async document(id, extent) {
      assertOnlyItem(id, source)
      if (!isSame(file, known.version)) await readAgain()
      return extent === 'head' ? known.head : documentOf(known, (await read(file)).text)
    },
    async close() {},
  }
}

const longHistory = 10_000
const checkAfterMs = 1_500

/** What is cached of a file until it changes. */
interface CachedFile {
  readonly version: Fingerprint | undefined
  readonly name: string
  readonly isLines: boolean
  readonly isLong: boolean
  readonly options: HistoryOptions
  readonly head: readonly string[]
}

async function readKnown(file: string | FileSource, chosen: HealOptions): Promise<{ known: CachedFile; input: Input }> {
  const version = typeof file === 'string' ? fingerprint(file) : undefined
  if (typeof file === 'string') assertSize(file, version?.size)
  const { input, options } = historyIn(inputIn(await read(file)), chosen)
  const { kind, name, history, text } = input
  const isLong = history.length > longHistory
  const whole = { version, name, isLines: kind === 'lines', isLong, options: pick(options) }
  const start = firstMessages(history)
  const head =
    start.length === history.length
      ? documentOf(whole, text)
      : [opening(whole), JSON.stringify(start), `,"total":${history.length}}`]
  return { known: { ...whole, head }, input }
}

function documentOf(known: Pick<CachedFile, 'name' | 'options' | 'isLines'>, text: string): string[] {
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

const opening = ({ name, options }: Pick<CachedFile, 'name' | 'options'>): string =>
  `{"kind":"history","name":${JSON.stringify(name)},"options":${JSON.stringify(options)},"value":`

const pick = ({ for: dialect, format, model, continues }: HealOptions): HistoryOptions => ({
  ...(dialect === undefined ? {} : { for: dialect }),
  ...(format === undefined ? {} : { format }),
  ...(model === undefined ? {} : { model }),
  ...(continues === undefined ? {} : { continues }),
})

function verdictOn(input: Input, options: HistoryOptions): Pick<CatalogueItem, 'state' | 'counts'> {
  return { state: isBroken(input, options) ? 'broken' : 'healthy', counts: countCalls(input.history, options) }
}

/** A request body is checked as a whole, as the page does. */
function isBroken({ kind, history, text }: Input, options: HistoryOptions): boolean {
  if (kind !== 'body') return check(history, options).some(isError)
  const decoded = decodeHistoryDocument(JSON.parse(text), options)
  return !('unsupported' in decoded) && [...decoded.repairs, ...decoded.remaining].some(isError)
}

const isError = ({ severity }: { readonly severity: string }): boolean => severity === 'error'

const isSame = (file: string | FileSource, version: Fingerprint | undefined): boolean =>
  typeof file !== 'string' || (version !== undefined && isSameFile(fingerprint(file), version))

const read = async (file: string | FileSource): Promise<FileSource> =>
  typeof file === 'string' ? readSource(file) : file
