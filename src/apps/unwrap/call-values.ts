import { firstLeftOut, LeftOut } from './left-out.ts'

export interface CallArguments {
  readonly named: Readonly<Record<string, unknown>>
  readonly positional: readonly unknown[]
}

/**
 * Whether a call is code, whose value is not in the text. A class is written with a capital letter; the other names are printed by Python for
 * its own types.
 */
export const isCode = (name: string): boolean => {
  const last = name.slice(name.lastIndexOf('.') + 1)
  return /^_*[a-z]/.test(last) && !printedTypes.test(last)
}

const printedTypes =
  /^(?:[a-z]{0,20}(?:dict|list|tuple|set|proxy|namespace|deque|array)(?:_(?:keys|values|items))?|str|int|float|bool|bytes|loads|parse)$/

/** The text of `JSON.stringify(value)` and `json.dumps(value)`; the value itself where the text does not contain all of it. */
export const jsonText = (name: string, { positional: [value] }: CallArguments): unknown =>
  /^(?:JSON\.stringify|json\.dumps)$/.test(name) && value !== undefined
    ? firstLeftOut(value)
      ? value
      : JSON.stringify(value)
    : undefined

/** The content of `Name(...)`. If it has named arguments, a URL before them is that of a request, as in `requests.post(url, json=...)`. */
export function fieldsOf(name: string, { named, positional }: CallArguments): unknown {
  const [first] = positional
  if (Object.keys(named).length > 0) {
    const url = typeof first === 'string' && /^https?:/.test(first) ? { url: first } : {}
    return { ...url, ...classFields[name], ...named }
  }
  if (name === 'OrderedDict' && Array.isArray(first) && first.every(isPair)) return Object.fromEntries(first)
  if (name.endsWith('defaultdict')) return positional[1]
  return positional.length === 0 ? {} : positional.length === 1 ? first : positional
}

const isPair = (value: unknown): value is [string, unknown] => Array.isArray(value) && value.length === 2

/** Fields that LangChain and Pydantic AI do not print, such as the type of a message: they follow from the name of the class. */
const classFields: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = Object.assign(
  Object.create(null),
  Object.fromEntries(
    [
      ['HumanMessage', 'type', 'human'],
      ['AIMessage', 'type', 'ai'],
      ['SystemMessage', 'type', 'system'],
      ['ToolMessage', 'type', 'tool'],
      ['HumanMessageChunk', 'type', 'human'],
      ['AIMessageChunk', 'type', 'ai'],
      ['ModelRequest', 'kind', 'request'],
      ['ModelResponse', 'kind', 'response'],
      ['SystemPromptPart', 'part_kind', 'system-prompt'],
      ['UserPromptPart', 'part_kind', 'user-prompt'],
      ['ToolReturnPart', 'part_kind', 'tool-return'],
      ['RetryPromptPart', 'part_kind', 'retry-prompt'],
      ['TextPart', 'part_kind', 'text'],
      ['ThinkingPart', 'part_kind', 'thinking'],
      ['ToolCallPart', 'part_kind', 'tool-call'],
      ['BuiltinToolCallPart', 'part_kind', 'builtin-tool-call'],
      ['BuiltinToolReturnPart', 'part_kind', 'builtin-tool-return'],
      ['FilePart', 'part_kind', 'file'],
    ].map(([name, key = '', value]) => [name, { [key]: value }]),
  ),
)

/** `datetime.datetime(2026, 1, 2, 3, 4, tzinfo=datetime.timezone.utc)` as ISO 8601. Undefined for a zone that only a name says. */
export function isoText({ named, positional }: CallArguments): string | undefined {
  const { tzinfo, ...rest } = named
  const isPlain = positional.every(one => Number.isInteger(one)) && positional.length >= 3 && positional.length <= 7
  if (!isPlain || Object.keys(rest).length > 0) return undefined
  if (tzinfo !== undefined && !LeftOut.isUtc(tzinfo)) return undefined
  const [year, month, day, hour, minute = 0, second = 0, micro = 0] = positional as number[]
  const two = (value = 0): string => String(value).padStart(2, '0')
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  if (hour === undefined) return date
  const fraction = micro === 0 ? '' : `.${String(micro).padStart(6, '0')}`
  return `${date}T${two(hour)}:${two(minute)}:${two(second)}${fraction}${tzinfo === undefined ? '' : '+00:00'}`
}

export const momentNames = new Set(['datetime', 'date', 'time', 'timedelta', 'DateTime'])
