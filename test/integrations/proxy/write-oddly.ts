import type { Random } from '../../laws/random.ts'

/** A value as JSON in a spelling that no serialiser has: any white space, any escapes, and keys that stand twice. */
export function writeOddly(value: unknown, random: Random): string {
  const gap = (): string => (random.chance(0.7) ? '' : random.pick([' ', '\n', '\t', '\r\n', '  \n \t']))
  const list = (parts: readonly string[]): string => parts.map(part => gap() + part + gap()).join(',')
  const field = (key: string, content: string): string => `${spell(key, random)}${gap()}:${gap()}${content}`
  if (typeof value === 'string') return spell(value, random)
  if (Array.isArray(value)) return `[${list(value.map(item => writeOddly(item, random)))}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).flatMap(([key, content]) => [
    // The last one counts.
    ...(random.chance(0.05)
      ? [field(key, random.pick(['null', '"x"', `"${'so '.repeat(30)}"`, '[{"text":"y"}]']))]
      : []),
    field(key, writeOddly(content, random)),
  ])
  return `{${list(fields)}}`
}

function spell(text: string, random: Random): string {
  if (random.chance(0.7)) return JSON.stringify(text)
  const unit = (char: string): string =>
    random.chance(0.3) ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : JSON.stringify(char).slice(1, -1)
  return `"${text.split('').map(unit).join('')}"`
}
