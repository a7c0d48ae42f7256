import { AntiphonError } from '../../../core/errors.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { fileError } from '../../../doctor/files/file-error.ts'
import { isLines, splitLines } from '../../../doctor/files/lines.ts'
import { isKnownSession } from '../../../doctor/files/read-history.ts'
import type { SourceText } from '../../../doctor/files/source.ts'
import type { HealOptions } from '../../../heal/options.ts'
import { unwrap } from '../../unwrap/unwrap.ts'
import { decodeHistoryDocument } from '../document/decode-history.ts'
import type { CatalogueItem, SourceInfo } from '../protocol.ts'
import type { OpenSource } from './open-source.ts'
import { pause } from './pause.ts'

/**
 * The histories in a text that is not one itself: a curl command, a HAR, a log, JSONL with requests. Throws `error`, which says why it is not
 * a history, if there are none.
 */
export function openFound(
  source: SourceInfo,
  { name, text }: SourceText,
  chosen: HealOptions,
  error: unknown,
): OpenSource {
  const isSession = isLines(text) && isKnownSession(splitLines(text, 50).map(line => tryParseJson(line.text)))
  const unwrapped = AntiphonError.is(error) && !isSession ? unwrap(text) : undefined
  if (!unwrapped || (!('found' in unwrapped) && unwrapped.problem === '')) throw error
  if (!('found' in unwrapped)) throw fileError(name, unwrapped.problem, unwrapped.hint)
  const { found, kind, problem } = unwrapped
  const note = problem === undefined ? '' : `; ${problem}`
  const titles = found.map(({ at }) => (at === '' ? kind : `${kind}, ${at}`))
  return {
    source,
    async list({ onItem, onListed, signal }) {
      for (const [index, { value }] of found.entries()) {
        if (signal.aborted) return
        const item: CatalogueItem = {
          source: source.id,
          id: String(index + 1),
          title: titles[index] ?? '',
          state: 'unknown',
        }
        const decoded = decodeHistoryDocument(value, chosen)
        const isBroken = !('unsupported' in decoded) && [...decoded.repairs, ...decoded.remaining].some(isError)
        onItem({ ...item, state: isBroken ? 'broken' : 'healthy' })
        await pause()
      }
      onListed()
    },
    async document(id) {
      const index = /^\d{1,9}$/.test(id) ? Number(id) - 1 : -1
      const one = found[index]
      if (!one) throw fileError(name, `it has no history ${id.slice(0, 20)}`)
      const document = {
        kind: 'history',
        name: `${name} (taken out of ${titles[index]}${note})`,
        options: chosen,
        value: one.value,
      }
      return [JSON.stringify(document)]
    },
    async close() {},
  }
}

const isError = ({ severity }: { readonly severity: string }): boolean => severity === 'error'
