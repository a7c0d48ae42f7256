import type { CodecId } from '../../../../codecs/index.ts'
import { isRecord } from '../../../../core/conversation.ts'
import type { DialectId } from '../../../../core/dialects/index.ts'
import { cleanText } from '../../../../observe/tape/clean-url.ts'
import { redactBody } from '../../../../observe/tape/redact-body.ts'
import { isSecret, withoutCredentials } from '../../../../observe/tape/redact-settings.ts'
import type { HistoryDocument, HistoryOptions } from '../../protocol.ts'

/** What a link contains: the history itself, compressed. Nothing is stored anywhere. */
interface Shared {
  readonly value: unknown
  readonly options?: HistoryDocument['options']
}

/**
 * A history as text for the fragment of a URL, which browsers do not send to a server. With `redacts`, all content is replaced by filler of
 * the same length, and the diagnostics stay the same. Credentials are removed in any case. Throws an Error with one line if the link
 * would be too long.
 */
export async function writeShared({ value, options }: HistoryDocument, redacts: boolean): Promise<string> {
  const shown = withoutCredentials(redacts ? redactBody(value) : cleanTexts(value))
  const shared: Shared = { value: shown, ...(options && { options }) }
  const text = base64(await compress(JSON.stringify(shared)))
  if (text.length > linkMax)
    throw new Error(
      `it is too long for a link: ${Math.ceil(text.length / 1024)} KB, and at most ${linkMax / 1024} KB work everywhere. Save it and send the file, or make it smaller with antiphon shrink`,
    )
  return text
}

/** The history in such a text. Throws an Error with one line if it cannot be read. */
export async function readShared(text: string): Promise<HistoryDocument> {
  const { value, options } = parse(await decompress(text))
  return { kind: 'history', name: 'Shared history', value, ...(options && { options }) }
}

const linkMax = 32 * 1024
const textMax = 32 * 1024 * 1024

/** A link may come from anyone: only what is expected is taken out of it. */
function parse(text: string): Shared {
  let shared: unknown
  try {
    shared = JSON.parse(text)
  } catch {
    throw broken()
  }
  if (!isRecord(shared) || typeof shared.value !== 'object' || shared.value === null) throw broken()
  return { value: shared.value, ...(isRecord(shared.options) && { options: optionsOf(shared.options) }) }
}

/** Other options are ignored: a link must not change how a history is diagnosed. */
function optionsOf({ for: dialect, format, model, continues }: Readonly<Record<string, unknown>>): HistoryOptions {
  return {
    ...(typeof dialect === 'string' && { for: dialect as DialectId }),
    ...(typeof format === 'string' && { format: format as CodecId }),
    ...(typeof model === 'string' && { model }),
    ...(typeof continues === 'boolean' && { continues }),
  }
}

const broken = (): Error => new Error('the link is cut off or was changed: ask for it again')

/**
 * Every text with what looks like a key replaced, and every text in a field that is named as one, also in JSON that is a text itself, such
 * as the arguments of a call. Under `properties` are names of parameters, whose schemas are not secrets.
 */
function cleanTexts(value: unknown, isHidden = false, within = '', depth = 0): unknown {
  if (typeof value === 'string') return isHidden ? '[key]' : cleanJson(cleanText(value), depth)
  if (Array.isArray(value)) return value.map(item => cleanTexts(item, isHidden, within, depth))
  if (!isRecord(value)) return isHidden && typeof value === 'number' ? 0 : value
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      const isNamed = within !== 'properties' && (isSecret(key) || (typeof field === 'string' && isShortName.test(key)))
      return [key, cleanTexts(field, isHidden || isNamed, key, depth)]
    }),
  )
}

const isShortName = /^(?:token|pass|pwd|pin|otp)$/i

/** A text that is JSON, written again only if something in it was replaced. */
function cleanJson(text: string, depth: number): string {
  if (depth >= textDepthMax || !/^\s*[[{"]/.test(text)) return text
  try {
    const value: unknown = JSON.parse(text)
    const [before, after] = [JSON.stringify(value), JSON.stringify(cleanTexts(value, false, '', depth + 1))]
    return before === after ? text : after
  } catch {
    return text
  }
}

/** JSON in JSON is searched up to this depth. */
const textDepthMax = 4

async function compress(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** A short text can unpack to gigabytes, so reading stops at a limit. */
async function decompress(text: string): Promise<string> {
  const decoder = new TextDecoder()
  let found = ''
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), one => one.charCodeAt(0))
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      found += decoder.decode(read.value, { stream: true })
      if (found.length > textMax) {
        await reader.cancel()
        break
      }
    }
  } catch {
    throw broken()
  }
  if (found.length > textMax)
    throw new Error('the history in the link is larger than this page opens: ask for the file instead')
  return found + decoder.decode()
}

const base64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')
