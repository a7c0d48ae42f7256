/**
 * A value as JSON text of at most about `lengthMax` characters, whatever its depth: unlike JSON.stringify it is not recursive. Values that
 * JSON cannot express become null.
 */
export function deepJsonText(value: unknown, lengthMax = Number.POSITIVE_INFINITY): string {
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
      for (const [index, [name, field]] of [...entries.slice(0, lengthMax).entries()].reverse()) {
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

/** Whether lists and objects are nested at least `depthMax` levels deep. */
export function isDeep(value: unknown, depthMax: number): boolean {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue
    if (next.depth >= depthMax) return true
    for (const child of Object.values(next.value)) waiting.push({ value: child, depth: next.depth + 1 })
  }
  return false
}
