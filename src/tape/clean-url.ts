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

/** Words with nothing in them that looks like a key. */
export const cleanWords = (words: string): string => words.replace(keyLike, '[key]')

const harmless = new Set(['api-version', 'alt'])

const keyLike =
  /\b(?:bearer\s+\S+|(?:sk|pk|rk|gsk|xai|key)-[\w*-]{8,}|bot\d+:[\w-]+|AIza[\w-]{10,}|eyJ[\w-]{10,}\.[\w.-]+)/gi
