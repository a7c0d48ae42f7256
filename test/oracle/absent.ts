/**
 * The needles that are part of none of the texts. Whole texts are looked up, and a few others are sought one by one; many
 * are sought together, one pass over the texts for each power of two, by a rolling hash of as many first letters (Rabin
 * and Karp).
 */
export function absent(needles: Set<string>, texts: string[]): Set<string> {
  if (needles.size === 0) return needles
  const whole = new Set(texts.map(text => text.trim()))
  const gone = new Set([...needles].filter(needle => !whole.has(needle)))
  if (gone.size === 0) return gone
  const hay = texts.join('\0')
  if (gone.size <= few) return new Set([...gone].filter(needle => !hay.includes(needle)))
  for (const [width, group] of byWidth(gone)) for (const needle of present(group, width, hay)) gone.delete(needle)
  return gone
}

const few = 32

/** The needles by the largest power of two that is not longer than they are. */
function byWidth(needles: Iterable<string>): Map<number, string[]> {
  const groups = new Map<number, string[]>()
  for (const needle of needles) {
    const width = 2 ** Math.floor(Math.log2(needle.length))
    add(groups, width, needle)
  }
  return groups
}

function add(groups: Map<number, string[]>, key: number, needle: string): void {
  const group = groups.get(key)
  if (group) group.push(needle)
  else groups.set(key, [needle])
}

/** Which of the needles, none shorter than `width`, the hay contains. */
function present(needles: string[], width: number, hay: string): string[] {
  const found: string[] = []
  const wanted = new Map<number, string[]>()
  for (const needle of needles) add(wanted, hash(needle, width), needle)
  const top = power(width - 1)
  let key = hash(hay, width)
  for (let start = 0; start + width <= hay.length && wanted.size > 0; start++) {
    if (start > 0) {
      key = Math.imul(key - Math.imul(hay.charCodeAt(start - 1), top), base) + hay.charCodeAt(start + width - 1)
      key |= 0
    }
    const candidates = wanted.get(key)
    if (!candidates) continue
    const open = candidates.filter(needle => !hay.startsWith(needle, start))
    if (open.length === candidates.length) continue
    found.push(...candidates.filter(needle => !open.includes(needle)))
    if (open.length > 0) wanted.set(key, open)
    else wanted.delete(key)
  }
  return found
}

const base = 1_000_003

function hash(text: string, width: number): number {
  let value = 0
  for (let index = 0; index < width && index < text.length; index++)
    value = (Math.imul(value, base) + text.charCodeAt(index)) | 0
  return value
}

function power(exponent: number): number {
  let value = 1
  for (let index = 0; index < exponent; index++) value = Math.imul(value, base)
  return value
}
