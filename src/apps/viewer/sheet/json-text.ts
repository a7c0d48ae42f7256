/**
 * A value as JSON text, up to about so many characters, whatever its depth: unlike the engine's own writer this one keeps
 * what is still to be written in a list. What JSON has no word for is null.
 */
export function jsonText(value: unknown, lengthMax = Number.POSITIVE_INFINITY): string {
  const waiting: (Word | { readonly value: unknown })[] = [{ value }]
  let text = ''
  for (let next = waiting.pop(); next !== undefined && text.length < lengthMax; next = waiting.pop()) {
    if (typeof next === 'string') text += next
    else if (Array.isArray(next.value)) {
      waiting.push(']')
      for (let index = Math.min(next.value.length, lengthMax) - 1; index >= 0; index--)
        waiting.push({ value: next.value[index] }, ...(index > 0 ? [','] : []))
      text += '['
    } else if (typeof next.value === 'object' && next.value !== null) {
      waiting.push('}')
      const entries = Object.entries(next.value).filter(([, field]) => field !== undefined)
      for (let index = Math.min(entries.length, lengthMax) - 1; index >= 0; index--) {
        const [name, field] = entries[index]
        waiting.push({ value: field }, `${quoted(name, lengthMax)}:`, ...(index > 0 ? [','] : []))
      }
      text += '{'
    } else if (typeof next.value === 'string') text += quoted(next.value, lengthMax)
    else text += JSON.stringify(next.value) ?? 'null'
  }
  return text
}

type Word = string

const quoted = (text: string, lengthMax: number): string =>
  JSON.stringify(text.length > lengthMax ? text.slice(0, lengthMax) : text)

/** How deep lists and objects stand in each other, up to a depth that is too deep. */
export function isDeep(value: unknown, depthMax: number): boolean {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue
    if (next.depth >= depthMax) return true
    for (const child of Object.values(next.value)) waiting.push({ value: child, depth: next.depth + 1 })
  }
  return false
}
