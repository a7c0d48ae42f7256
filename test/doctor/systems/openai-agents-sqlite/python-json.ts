/** JSON as `json.dumps` of Python writes it: a space after colons and commas, and only ASCII. */
export function pythonJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value).replace(/[\u007f-\uffff]/g, escaped)
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, held]) => `${pythonJson(key)}: ${pythonJson(held)}`)
    .join(', ')}}`
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
