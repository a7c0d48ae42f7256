/** A URL without credentials: no user, no query parameters except the API version, and no part that looks like a key. */
export function cleanUrl(url: string): string {
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    const [path = ''] = url.split(/[?#]/, 1)
    return cleanText(path)
  }
  const kept = [...parsed.searchParams].filter(([name]) => harmlessParameters.has(name))
  const query = kept.map(([name, value]) => `${name}=${cleanText(value)}`).join('&')
  return `${parsed.protocol}//${parsed.host}${cleanText(parsed.pathname)}${query === '' ? '' : `?${query}`}`
}

/** Replaces what looks like a key, follows a name such as `api_key:`, or is in the user or query part of a URL. */
export const cleanText = (text: string): string =>
  text.replace(urlLike, hideCredentials).replace(keyLike, '[key]').replace(namedKey, '$1[key]')

/** Replaces only what looks like a key by itself. */
export const hideKeys = (text: string): string => text.replace(keyLike, '[key]')

/** Query parameters that are not credentials. */
export const harmlessParameters: ReadonlySet<string> = new Set(['api-version', 'alt'])

const keyLike = new RegExp(
  [
    String.raw`\b(?:bearer\s+\S+|basic\s+(?=\S{0,400}[\d=])[\w+/-]{8,}=*)`,
    String.raw`\b(?:[cg]?sk|[pr]k|xai|glpat|xox[a-z]|hf|gh[a-z]|github_pat|nvapi|r8|pplx|tgp|fw|jina)[_-][\w*-]{8,}`,
    String.raw`\b(?:key-[\w*-]{8,}|pa-[\w-]{16,}|dapi[\da-f]{16,}|ABSK[\w+/]{10,}=*)`,
    String.raw`\b(?:bot\d+:[\w-]+|AIza[\w-]{10,}|A[KS]IA[A-Z0-9]{12,}|(?:ya29|AQ)\.[\w-]{10,})`,
    // Starts at the beginning of a run only: from every position of it, the search would take 2,000 steps.
    String.raw`(?<![\w-])eyJ[\w-]{10,2000}\.[\w.-]+`,
  ].join('|'),
  'gi',
)

/** A value that the text itself calls a key: after a colon, in quotes, or long and with a digit. */
const namedKey =
  /\b((?:[\w-]{0,20}[_-])?(?:api[ _-]?key|token|secret|password|passwd)(?: provided)?["'`]?(?:\s{0,3}[:=]\s{0,3}["'`]?|\s{1,3}["'`]|\s{1,3}(?=[\w.-]{0,200}\d)(?=[\w.-]{12})))[^\s"'`,;)[]{6,}/gi

const urlLike = /\b([a-z][a-z+.-]{1,20}:\/\/)(\S+)/gi

function hideCredentials(_: string, scheme: string, rest: string): string {
  const place = rest.slice(rest.lastIndexOf('@') + 1)
  const query = place.search(/[?#]/)
  const user = place === rest ? '' : '[key]@'
  return scheme + user + (query < 0 ? place : `${place.slice(0, query)}?[key]`)
}
