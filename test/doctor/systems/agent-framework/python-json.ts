/** How Python writes JSON: on one line with spaces, every character outside ASCII escaped; or indented; or tight. */
export type Layout = 'python' | 'indented' | 'tight'

export function write(value: unknown, layout: Layout): string {
  if (layout === 'indented') return unquoted(JSON.stringify(value, null, 2))
  if (layout === 'tight') return unquoted(JSON.stringify(value))
  return unquoted(spaced(value)).replaceAll(
    /[\u007f-\uffff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A number that is written as given and that no JavaScript number can express: `1.0`, `1e5`. */
export const number = (text: string): string => `#number ${text}#`

const unquoted = (json: string): string => json.replaceAll(/"#number ([^#"]+)#"/g, '$1')

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}: ${spaced(member)}`).join(', ')}}`
}
