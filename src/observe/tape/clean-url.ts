/** An address without credentials: no user, no query but what names a version, and no part that looks like a key. */
export function cleanUrl(url: string): string {
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    return cleanWords(url.split(/[?#]/, 1)[0])
  }
  const kept = [...parsed.searchParams].filter(([name]) => harmless.has(name))
  const query = kept.map(([name, value]) => `${name}=${cleanWords(value)}`).join('&')
  return `${parsed.protocol}//${parsed.host}${cleanWords(parsed.pathname)}${query === '' ? '' : `?${query}`}`
}

/** Words with nothing in them that looks like a key, is called one, or stands in an address where keys stand. */
export const cleanWords = (words: string): string =>
  words.replace(address, hideIn).replace(keyLike, '[key]').replace(named, '$1[key]')

const harmless = new Set(['api-version', 'alt'])

const keyLike = new RegExp(
  [
    String.raw`bearer\s+\S+|basic\s+(?=\S{0,400}[\d=])[\w+/-]{8,}=*`,
    String.raw`(?:sk|pk|rk|gsk|xai|key|glpat|xox[a-z])-[\w*-]{8,}`,
    String.raw`(?:hf|gh[a-z]|github_pat|nvapi|r8|pplx|tgp)[_-][\w-]{8,}`,
    String.raw`bot\d+:[\w-]+|AIza[\w-]{10,}|A[KS]IA[A-Z0-9]{12,}|eyJ[\w-]{10,2000}\.[\w.-]+`,
  ]
    .map(form => String.raw`\b(?:${form})`)
    .join('|'),
  'gi',
)

/** What a text itself calls a key. */
const named =
  /\b((?:[\w-]{0,20}[_-])?(?:api[ _-]?key|token|secret|password|passwd)(?: provided)?["'`]?\s{0,3}[:=]\s{0,3}["'`]?)[^\s"'`,;)[]{6,}/gi

const address = /\b([a-z][a-z+.-]{1,20}:\/\/)(\S+)/gi

function hideIn(_: string, scheme: string, rest: string): string {
  const place = rest.slice(rest.lastIndexOf('@') + 1)
  const query = place.search(/[?#]/)
  const user = place === rest ? '' : '[key]@'
  return scheme + user + (query < 0 ? place : `${place.slice(0, query)}?[key]`)
}
