/**
 * A text that matches a simple regular expression: characters, classes, groups, alternatives and counts. Optional repetitions
 * occur `more` times. The caller must test the text: look-arounds, for example, are not evaluated.
 */
export function samplePattern(source: string, more: number): string {
  const tokens = source.length > lengthMax ? [] : (source.match(token) ?? [])
  let at = 0

  function alternatives(): string {
    const first = sequence()
    while (tokens[at] === '|') {
      at += 1
      sequence()
    }
    return first
  }

  function sequence(): string {
    let text = ''
    while (at < tokens.length && tokens[at] !== '|' && tokens[at] !== ')') {
      const one = atom()
      text += one.repeat(Math.min(times(), Math.ceil(lengthMax / Math.max(1, one.length))))
    }
    return text.slice(0, lengthMax)
  }

  function atom(): string {
    const here = tokens[at++] ?? ''
    if (!here.startsWith('(')) return character(here)
    const inner = alternatives()
    at += 1
    return lookAround.test(here) ? '' : inner
  }

  function times(): number {
    const bounds = boundsOf(tokens[at])
    if (!bounds) return 1
    at += 1
    return Math.min(bounds.least + more, bounds.most)
  }

  return alternatives()
}

const token =
  /\\[pPu]\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:[:=!]|<[=!]|<\w+>)|[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/gi
const lookAround = /^\(\?<?[=!]/
const lengthMax = 1000

/** The bounds of a quantifier; undefined if the token is not one. */
function boundsOf(quantifier = ''): { least: number; most: number } | undefined {
  if (quantifier.startsWith('*')) return { least: 0, most: Infinity }
  if (quantifier.startsWith('+')) return { least: 1, most: Infinity }
  if (quantifier.startsWith('?')) return { least: 0, most: 1 }
  const [, least, comma, most] = quantifier.match(/^\{(\d+)(,?)(\d*)\}/) ?? []
  if (least === undefined) return undefined
  return { least: Number(least), most: comma === '' ? Number(least) : Number(most || Infinity) }
}

/** The first of some common characters that matches; empty if none does, as at an assertion. */
function character(source: string): string {
  if (source === '^' || source === '$' || /^\\[bB]$/.test(source)) return ''
  for (const flags of ['u', ''])
    try {
      const regex = new RegExp(`^(?:${source})$`, flags)
      return usual.find(one => regex.test(one)) ?? (source.length === 1 ? source : '')
    } catch {
      // The expression may be valid with only one of the two flags.
    }
  return ''
}

const usual = [
  ...'a1A_- .,:;/@#+*=!?()[]{}<>|&%$"\'`~^\\',
  ...'bcdefghijklmnopqrstuvwxyz023456789BCDEFGHIJKLMNOPQRSTUVWXYZ',
]
