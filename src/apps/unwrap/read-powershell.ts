import { markExpansions } from './shell-expansions.ts'

/** The body and URL of `Invoke-WebRequest` and `Invoke-RestMethod`, as browsers copy them; undefined if the text has none. */
export function readPowerShell(text: string): { readonly body: string; readonly url: string | undefined } | undefined {
  if (
    !/^[ \t]{0,50}(?:PS[^>\n]{0,300}>[ \t]{0,50})?(?:[$\w]{1,100}[ \t]{0,20}=[ \t]{0,20})?(?:Invoke-(?:WebRequest|RestMethod)|iwr|irm)\b/im.test(
      text,
    )
  )
    return undefined
  const flag = /\s-Body\s+(?:\(\[System\.Text\.Encoding\]::UTF8\.GetBytes\(\s*)?(?=["'@])/i.exec(text)
  if (!flag) return undefined
  const body = quotedAt(text, flag.index + flag[0].length)
  return body === undefined ? undefined : { body, url: /\s-Uri\s+["']?(https?:[^"'\s]+)/i.exec(text)?.[1] }
}

/** A string in single quotes, in double quotes with backticks as escapes, or a here-string. */
function quotedAt(text: string, from: number): string | undefined {
  const here = /@(["'])\r?\n/y
  here.lastIndex = from
  const [opening, mark] = here.exec(text) ?? []
  if (opening !== undefined) {
    const start = from + opening.length
    const end = text.indexOf(`\n${mark}@`, start)
    if (end < 0) return undefined
    return mark === '"' ? markExpansions(withCharacters(text.slice(start, end))) : text.slice(start, end)
  }
  const quote = text.charAt(from)
  const pieces: string[] = []
  const special = quote === '"' ? /["`]/g : /'/g
  for (let at = from + 1; ; at = special.lastIndex) {
    special.lastIndex = at
    const [found] = special.exec(text) ?? []
    if (found === undefined) return undefined
    const piece = text.slice(at, special.lastIndex - 1)
    pieces.push(quote === '"' ? markExpansions(withCharacters(piece)) : piece)
    const next = text.charAt(special.lastIndex++)
    if (found === '`') pieces.push(escapes[next] ?? next)
    else if (next === quote) pieces.push(quote)
    else return pieces.join('')
  }
}

const escapes: Readonly<Record<string, string | undefined>> = { n: '\n', r: '\r', t: '\t', 0: '\0' }

/** Browsers write a character outside of ASCII as `$([char]233)`. */
const withCharacters = (text: string): string =>
  text.replaceAll(/\$\(\[char\](\d{1,5})\)/g, (all, code) => (code < 65536 ? String.fromCharCode(code) : all))
