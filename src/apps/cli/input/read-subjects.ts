import { isRecord } from '../../../core/conversation.ts'
import { AntiphonError } from '../../../core/errors.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { fileError } from '../../../doctor/files/file-error.ts'
import { inputIn } from '../../../doctor/files/input.ts'
import { isLines, splitLines } from '../../../doctor/files/lines.ts'
import type { Parse } from '../../../doctor/files/parse-json.ts'
import { historyIn, isKnownSession, type ReadHistory } from '../../../doctor/files/read-history.ts'
import type { SourceText } from '../../../doctor/files/source.ts'
import { bodyOfTape } from '../../../doctor/files/tape-source.ts'
import type { HealOptions } from '../../../heal/options.ts'
import { readBody } from '../../../heal/request/request-body.ts'
import { isTape } from '../../../observe/tape/read-tape.ts'
import type { FoundHistory } from '../../unwrap/find-histories.ts'
import { type Unwrapped, unwrap } from '../../unwrap/unwrap.ts'
import { describeContainer, foundSubject, type Subject } from './found-subject.ts'
import { type LineStream, openInput } from './open-input.ts'
import type { InputProgress } from './progress.ts'
import { type EndedLine, requestsIn } from './request-lines.ts'

/**
 * The histories of a file, or of standard input for `-`. Usually it is one; a HAR or JSONL with requests contains several. In a series, a
 * line that cannot be read is reported in its place; any other error is thrown, as one line.
 */
export async function* readSubjects(
  file: string,
  chosen: HealOptions,
  parse: Parse,
  pick?: string,
  progress?: InputProgress,
): AsyncGenerator<Subject | EndedLine> {
  const opened = await openInput(file)
  if (!('lines' in opened)) {
    progress?.begin('parsing', opened.bytes.length)
    yield* subjectsIn(opened, chosen, parse, pick)
  } else if (pick === undefined) yield* requestsIn(opened, chosen, parse)
  else yield* pickedIn(opened, chosen, parse, pick)
}

/** One line of JSONL, as a request of its own. */
async function* pickedIn(lines: LineStream, chosen: HealOptions, parse: Parse, pick: string): AsyncGenerator<Subject> {
  for await (const found of requestsIn(lines, chosen, parse)) {
    if (!('foundIn' in found) || found.foundIn === undefined || !isPicked(found.foundIn.at, pick)) continue
    const { kind, note, at } = found.foundIn
    yield { ...found, foundIn: { kind, note, at, isSeries: false } }
    return
  }
  throw fileError(lines.name, `no history at "${pick}"`, 'name a line: --pick "line 3"')
}

function* subjectsIn(
  source: SourceText,
  chosen: HealOptions,
  parse: Parse,
  pick: string | undefined,
): Generator<Subject> {
  let plain: unknown
  try {
    const read = historyIn(inputIn(bodyOfTape(source), parse), chosen)
    if (!mayHoldAnother(read) && pick === undefined) {
      yield read
      return
    }
    plain = read
  } catch (error) {
    if (!AntiphonError.is(error) || isTape(source.text) || isSession(source.text)) throw error
    plain = error
  }
  const unwrapped = unwrap(source.text, parse)
  if (unwrapped && 'found' in unwrapped) yield* choose(source, unwrapped, chosen, parse, pick)
  else if (unwrapped && unwrapped.problem !== '') throw fileError(source.name, unwrapped.problem, unwrapped.hint)
  else if (plain instanceof Error) throw plain
  else if (pick !== undefined && pick !== '1')
    throw fileError(source.name, `nothing at "${pick}": it has only one history`, 'omit --pick')
  else yield plain as ReadHistory
}

/** A request whose input is a text: a record may keep a whole history as JSON text in a field of this name. */
const mayHoldAnother = ({ input, history }: ReadHistory): boolean => input.kind === 'body' && history.length === 0

const isSession = (text: string): boolean =>
  isLines(text) && isKnownSession(splitLines(text, 50).map(line => tryParseJson(line.text)))

function* choose(
  source: SourceText,
  { found, kind, isSeries, problem }: Unwrapped,
  chosen: HealOptions,
  parse: Parse,
  pick: string | undefined,
): Generator<Subject> {
  const picked =
    pick === undefined ? found : found.filter(({ at }, index) => isPicked(at, pick) || String(index + 1) === pick)
  if (picked.length === 0) throw fileError(source.name, `nothing at "${pick}" in ${kind}`, `there are ${listed(found)}`)
  const isMany = picked.length > 1
  if (isMany && !isSeries)
    throw fileError(source.name, `${kind} with ${found.length} histories`, `choose one with --pick: ${listed(found)}`)
  for (const one of picked) {
    const name = one.at === '' ? source.name : `${source.name}, ${one.at}`
    const text = `${JSON.stringify(one.value, undefined, 2)}\n`
    const note = `taken out of ${describeContainer(kind, one)}${problem === undefined ? '' : `; ${problem}`}`
    yield {
      ...foundSubject({ ...source, name, text }, one, chosen, parse),
      foundIn: { kind, note, at: one.at, isSeries: isMany },
    }
  }
}

const isPicked = (at: string, pick: string): boolean => at === pick || at.split(', ').includes(pick)

const listedMax = 20

function listed(found: readonly FoundHistory[]): string {
  const places = found.slice(0, listedMax).map(({ at, value }) => `"${at}" (${sizeOf(value)})`)
  const more = found.length - places.length
  return `${places.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function sizeOf(value: unknown): string {
  const history = isRecord(value) ? readBody(value)?.history : value
  const length = Array.isArray(history) ? history.length : 0
  return `${length} message${length === 1 ? '' : 's'}`
}
