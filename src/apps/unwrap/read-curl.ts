import { fromBytes, readEscape } from './read-quoted.ts'

/** One curl command: where it goes and what it sends. Headers are not kept: they hold secrets. */
export interface CurlCommand {
  readonly url: string | undefined
  /** The body; undefined if the command sends none. */
  readonly body: string | undefined
  /** The body is not in the text but in this file; `-` is standard input. */
  readonly file?: string
}

/** Whether a text holds a curl command: at its beginning, or at the beginning of a line. */
export const findCurl = (text: string): number | undefined => {
  const found = curlStart.exec(text)
  return found ? found.index + found[0].length : undefined
}

const curlStart = /(?:^|\n)[ \t]*(?:[$>%#][ \t]+)?curl(?:\.exe)?(?=\s)/

/** Reads all curl commands of a text, as bash, zsh or the command prompt of Windows would read them. */
export function readCurl(text: string): CurlCommand[] {
  const commands: CurlCommand[] = []
  let rest = isCommandPrompt(text) ? withoutCarets(text) : text
  for (let start = findCurl(rest); start !== undefined && commands.length < commandsMax; start = findCurl(rest)) {
    const { words, end } = shellWords(rest, start)
    const command = commandOf(words)
    const here = command.file === '-' ? hereDocument(words, rest, end) : undefined
    commands.push(here === undefined ? command : { url: command.url, body: here.body })
    rest = rest.slice(here?.end ?? end)
  }
  return commands
}

/** Enough for any page of a browser's network panel. */
const commandsMax = 10_000

/** Chrome's "Copy as cURL (cmd)" escapes every quote with a caret. */
const isCommandPrompt = (text: string): boolean => /\^"|\^\r?\n/.test(text)

/** A caret escapes the next character; before a line break it joins the lines, and the second of two breaks stays. */
const withoutCarets = (text: string): string =>
  text.replace(
    /\^(\r?\n)(\r?\n)?|\^([\s\S])/g,
    (_, first, second, character) => character ?? (second ? '\n' : first ? ' ' : ''),
  )

interface ShellWords {
  readonly words: readonly string[]
  readonly end: number
}

/** The words of the command at `from`, up to an unquoted line break, `;`, `|` or `&`. */
function shellWords(text: string, from: number): ShellWords {
  const words: string[] = []
  let word: string | undefined
  let at = from
  while (at < text.length) {
    const character = text.charAt(at)
    const next = text[at + 1]
    if (character === '\\' && (next === '\n' || text.startsWith('\r\n', at + 1))) at = text.indexOf('\n', at) + 1
    else if (character === '`' && (next === '\n' || text.startsWith('\r\n', at + 1))) at = text.indexOf('\n', at) + 1
    else if (character === '\n' || ';|&'.includes(character)) break
    else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
      at++
    } else if (character === "'" || character === '"' || (character === '$' && next === "'")) {
      const quoted = shellQuoted(text, at)
      word = (word ?? '') + quoted.value
      at = quoted.end
    } else if (character === '\\') {
      word = (word ?? '') + (next ?? '')
      at += 2
    } else {
      const end = nextOf(text, at + 1, unquotedEnds)
      word = (word ?? '') + text.slice(at, end)
      at = end
    }
  }
  if (word !== undefined) words.push(word)
  return { words, end: at }
}

/** What may end a run of plain characters in a word. */
const unquotedEnds = /[\s;|&'"$`\\]/g

function shellQuoted(text: string, from: number): { readonly value: string; readonly end: number } {
  if (text[from] === '$') return ansiQuoted(text, from + 2)
  if (text[from] === "'") {
    const end = text.indexOf("'", from + 1)
    return end < 0
      ? { value: text.slice(from + 1), end: text.length }
      : { value: text.slice(from + 1, end), end: end + 1 }
  }
  const pieces: string[] = []
  let at = from + 1
  let start = at
  while (at < text.length && text[at] !== '"') {
    if (text[at] !== '\\') {
      at++
      continue
    }
    const next = text.charAt(at + 1)
    // Before any other character a backslash stays.
    if ('"\\$`\n'.includes(next)) {
      pieces.push(text.slice(start, at), next === '\n' ? '' : next)
      start = at + 2
    }
    at += 2
  }
  return { value: pieces.join('') + text.slice(start, at), end: at + 1 }
}

/** `$'...'`, with the escapes of C. Escapes of single bytes are read as UTF-8. */
function ansiQuoted(text: string, from: number): { readonly value: string; readonly end: number } {
  const pieces: string[] = []
  let bytes = ''
  const flush = (): void => {
    if (bytes !== '') pieces.push(textOfBytes(bytes))
    bytes = ''
  }
  let at = from
  while (at < text.length && text[at] !== "'") {
    if (text[at] !== '\\') {
      flush()
      const end = nextOf(text, at, ansiEnds)
      pieces.push(text.slice(at, end))
      at = end
      continue
    }
    const escaped = readEscape(text, at) ?? { value: text.slice(at, at + 2), end: at + 2 }
    if (/[x0-7]/.test(text.charAt(at + 1))) bytes += escaped.value
    else {
      flush()
      pieces.push(escaped.value)
    }
    at = escaped.end
  }
  flush()
  return { value: pieces.join(''), end: at + 1 }
}

function textOfBytes(bytes: string): string {
  try {
    return fromBytes(bytes, () => new Error('not UTF-8'))
  } catch {
    return bytes
  }
}

const ansiEnds = /['\\]/g

function nextOf(text: string, from: number, ends: RegExp): number {
  ends.lastIndex = from
  return ends.exec(text)?.index ?? text.length
}

function commandOf(words: readonly string[]): CurlCommand {
  const data: { readonly value: string; readonly isRaw: boolean }[] = []
  const urls: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    const { flag, value } = flagIn(word)
    if (flag === undefined) {
      if (!/^\d?[<>]/.test(word)) urls.push(word)
      continue
    }
    const takes = dataFlags.has(flag) || valueFlags.has(flag) || flag === '--url'
    if (!takes) continue
    const argument = value ?? words[++index] ?? ''
    if (flag === '--url') urls.unshift(argument)
    else if (dataFlags.has(flag)) data.push({ value: argument, isRaw: flag === '--data-raw' })
  }
  const url = urls.find(word => /^https?:/i.test(word)) ?? urls[0]
  const [first] = data
  if (first && !first.isRaw && first.value.startsWith('@')) return { url, body: undefined, file: first.value.slice(1) }
  return { url, body: first && data.map(({ value }) => value).join('&') }
}

/** A flag, with the value that is written next to it: `-d{}`, `-sSd '{}'`, `--data={}`. */
function flagIn(word: string): { readonly flag?: string; readonly value?: string } {
  if (word.startsWith('--')) {
    const [flag = '', value] = [
      word.split('=', 1)[0],
      word.includes('=') ? word.slice(word.indexOf('=') + 1) : undefined,
    ]
    return value === undefined ? { flag } : { flag, value }
  }
  if (!word.startsWith('-') || word === '-') return {}
  for (let at = 1; at < word.length; at++) {
    const flag = `-${word[at]}`
    if (dataFlags.has(flag) || valueFlags.has(flag))
      return at + 1 < word.length ? { flag, value: word.slice(at + 1) } : { flag }
  }
  return { flag: word }
}

const dataFlags = new Set(['-d', '--data', '--data-raw', '--data-binary', '--data-ascii', '--json'])

/** Flags whose value is neither the URL of the request nor its body. */
const valueFlags = new Set([
  ...[
    '-H',
    '-X',
    '-u',
    '-A',
    '-b',
    '-c',
    '-o',
    '-e',
    '-m',
    '-x',
    '-w',
    '-F',
    '-T',
    '-K',
    '-E',
    '-D',
    '-U',
    '-y',
    '-Y',
    '-r',
    '-z',
  ],
  ...[
    '--header',
    '--request',
    '--user',
    '--user-agent',
    '--cookie',
    '--cookie-jar',
    '--output',
    '--referer',
    '--max-time',
  ],
  ...[
    '--proxy',
    '--write-out',
    '--form',
    '--upload-file',
    '--config',
    '--cert',
    '--key',
    '--cacert',
    '--connect-timeout',
  ],
  ...[
    '--retry',
    '--retry-delay',
    '--resolve',
    '--connect-to',
    '--aws-sigv4',
    '--oauth2-bearer',
    '--proxy-user',
    '--data-urlencode',
  ],
])

/** The body of `-d @- <<EOF`: the lines up to the word, or up to the end of the text as in a shell. Each line is read for one command only. */
function hereDocument(
  words: readonly string[],
  text: string,
  from: number,
): { readonly body: string; readonly end: number } | undefined {
  const at = words.findIndex(word => word.startsWith('<<'))
  if (at < 0) return undefined
  const word = (words[at] === '<<' || words[at] === '<<-' ? words[at + 1] : words[at]?.replace(/^<<-?/, '')) ?? ''
  const start = endOfLine(text, from)
  for (let line = start, end = start; line < text.length; line = end) {
    end = endOfLine(text, line)
    if (text.slice(line, end).trim() === word) return { body: text.slice(start, line), end }
  }
  return { body: text.slice(start), end: text.length }
}

/** Where the next line begins. */
function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}
