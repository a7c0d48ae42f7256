type Parse = (json: string) => unknown

/** A text without the colors of a terminal. */
export const withoutColors = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape of a terminal
  text.includes('\u001b') ? text.replace(/\u001b\[[\d;]{0,20}m/g, '') : text

/** Removes `>` before each line, as in a quoted mail, or the guide lines that `rich` draws. Undefined if the text has neither. */
export function withoutMargin(text: string): string | undefined {
  const lines = text.split('\n')
  if (lines.length > 1 && lines.every(line => line.trim() === '' || line.startsWith('>')))
    return lines.map(line => line.replace(/^> ?/, '')).join('\n')
  return /(?:^|\n)│ /.test(text) ? lines.map(line => line.replace(/^(?:│ {1,3})+/, '')).join('\n') : undefined
}

/** Reads JSON with escaped quotes, `{\"role\": ...}`: the content of a JSON string that begins at `at`, with or without its quotes. */
export function escapedValue(
  text: string,
  at: number,
  parse: Parse,
): { readonly value: unknown; readonly end: number } | undefined {
  escapedStart.lastIndex = at
  if (!escapedStart.test(text)) return undefined
  const isQuoted = text[at - 1] === '"'
  const end = isQuoted ? endOfQuoted(text, at) : endOfBrackets(text, at)
  let value: unknown = text.slice(at, end)
  for (let times = 0; times < timesMax && typeof value === 'string'; times++) {
    const json: string = value
    value = parsed(json, parse) ?? parsed(`"${json}"`, parse)
  }
  return { value: typeof value === 'string' ? undefined : value, end: isQuoted ? end + 1 : end }
}

const escapedStart = /[[{]\s{0,100}(?:[[{]\s{0,100})?\\+"/y

/** The end of the JSON string that contains `at`. */
function endOfQuoted(text: string, at: number): number {
  for (let end = at; end < text.length; end++) {
    if (text[end] === '\\') end++
    else if (text[end] === '"') return end
  }
  return text.length
}

/** The last closing bracket of the line, or of a text that is one value. */
function endOfBrackets(text: string, at: number): number {
  const line = at === 0 ? -1 : text.indexOf('\n', at)
  const end = line < 0 ? text.length : line
  return Math.max(text.lastIndexOf('}', end - 1), text.lastIndexOf(']', end - 1)) + 1
}

const timesMax = 3

function parsed(json: string, parse: Parse): unknown {
  try {
    return parse(json)
  } catch {
    return undefined
  }
}

export const textOfBase64 = (text: string): string =>
  new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(atob(text), character => character.charCodeAt(0)))
