import { budgetFor, hereDocument, type ReadBudget, ShellVariables, shellWords } from './read-shell.ts'
import { withoutMarks } from './shell-expansions.ts'

/** One command of curl, wget or HTTPie: where it goes and what it sends. Headers are not kept: they hold secrets. */
export interface CurlCommand {
  /** What it is, such as `a curl command`. */
  readonly kind: string
  readonly url: string | undefined
  /** The body; undefined if the command sends none. */
  readonly body: string | undefined
  /** The body is not in the text but in this file; `-` is standard input. */
  readonly file?: string
  /** The body is in this variable of the shell, which the text does not set. */
  readonly variable?: string
}

/** Whether a text holds such a command: at the beginning of a line, or after a pipe from `echo`, `printf` or `cat`. */
export const findCurl = (text: string): boolean => findCommand(text, budgetFor(text)) !== undefined

interface FoundCommand {
  /** Where its line begins, or that of the command whose output it reads. */
  readonly start: number
  /** Where the words after its name begin. */
  readonly at: number
  readonly program: string
  /** It is in `$(...)`. */
  readonly isSubstitution: boolean
  /** The words of the command whose output it reads. */
  readonly piped?: readonly string[]
}

function findCommand(text: string, budget: ReadBudget): FoundCommand | undefined {
  lineStart.lastIndex = 0
  for (let tries = 0; tries < producersMax; tries++) {
    const found = lineStart.exec(text)
    if (!found) return undefined
    const { 1: opening, 2: program, 3: producer, index: start } = found
    const isSubstitution = opening !== undefined
    if (program !== undefined) return { start, at: lineStart.lastIndex, program, isSubstitution }
    if (budget.left < 0) continue
    const { words, end } = shellWords(text, lineStart.lastIndex, budget)
    budget.left -= end - lineStart.lastIndex
    afterPipe.lastIndex = end
    const [, reader] = afterPipe.exec(text) ?? []
    if (reader !== undefined)
      return { start, at: afterPipe.lastIndex, program: reader, isSubstitution, piped: [producer ?? '', ...words] }
  }
  return undefined
}

const producersMax = 100
const programs = 'curl(?:\\.exe)?(?=\\s)|wget(?:\\.exe)?(?=\\s)|(?:https?|xh)(?=[ \\t]+(?:-|POST\\b|PUT\\b|https?:|:))'
const before =
  '(?:(?:time|sudo|env|exec|command|[A-Za-z_]\\w{0,99}=(?:\'[^\'\\n]{0,999}\'|"[^"\\n]{0,999}"|[^\\s\'"]{0,999}))[ \\t]+){0,20}'
/** The mark alone, or after a name such as `(venv) user@host:~/dir$`. */
const prompt =
  '[ \\t]*(?:(?:(?:\\(\\S{1,50}\\)[ \\t]+)?\\[?[\\w.-]{1,50}@[\\w.-]{1,50}[^\\n\'"{}]{0,100}?)?[$>%#+❯➜✗λ][ \\t]+)?'
const lineStart = new RegExp(
  `(?:^|\\n)${prompt}([A-Za-z_]\\w{0,99}="?\\$\\([ \\t]*)?${before}(?:(${programs})|(echo|printf|cat)(?=[ \\t]+(?:-\\w+[ \\t]+)?(?:["'$]|<<)))`,
  'g',
)
const afterPipe = new RegExp(`\\|\\s{0,100}(?:\\\\\\r?\\n\\s{0,100})?${before}(${programs})`, 'y')

/** Reads all such commands of a text, or one more than `commandsMax`, as bash, zsh or the command prompt of Windows would read them. */
export function readCurl(text: string): CurlCommand[] {
  const commands: CurlCommand[] = []
  let rest = text
  let isPrompt = false
  const budget = budgetFor(text)
  const variables = new ShellVariables(text)
  const next = (): FoundCommand | undefined => findCommand(rest, budget)
  for (let found = next(); found && commands.length <= commandsMax; found = next()) {
    const { program, isSubstitution, piped = [] } = found
    let { start } = found
    let read = shellWords(rest, found.at, budget, isPrompt, isSubstitution)
    if (read.hasCaret && !isPrompt) {
      isPrompt = true
      rest = withoutCarets(rest.slice(found.at))
      start = 0
      read = shellWords(rest, 0, budget, isPrompt)
    }
    const command = commandOf(program, read.words)
    const input =
      command.file === '-'
        ? (hereDocument([...read.words, ...piped], rest, start, read.end) ?? echoed(piped, read.end))
        : undefined
    const { kind, url } = command
    const place = isPrompt ? 0 : text.length - rest.length + start
    commands.push(withVariable(input === undefined ? command : { kind, url, body: input.body }, variables, place))
    rest = rest.slice(input?.end ?? read.end).replace(nextCommand, '')
  }
  return commands
}

/** What is between two commands of one line. */
const nextCommand = /^(?:;|&&?)[ \t]*(?![ \t$>%#])/

/** What `echo` and `printf` print. */
function echoed(
  [producer, ...words]: readonly string[],
  end: number,
): { readonly body: string; readonly end: number } | undefined {
  if (producer !== 'echo' && producer !== 'printf') return undefined
  const [first = '', ...more] = words.filter((word, index) => index > 0 || !/^-\w+$/.test(word))
  return { body: producer === 'echo' ? [first, ...more].join(' ') : printed(first, more), end }
}

/** What `printf` makes of a format with `%s`, and of a line break at its end. */
function printed(format: string, words: readonly string[]): string {
  let next = 0
  return format.replace(/\\n$/, '\n').replace(/%[%s]/g, found => (found === '%%' ? '%' : (words[next++] ?? '')))
}

/** `-d "$BODY"`: what the script assigns to the variable before the place of the command. */
function withVariable(command: CurlCommand, variables: ShellVariables, place: number): CurlCommand {
  const [, name] = /^\$\{?([A-Za-z_]\w{0,99})\}?$/.exec(withoutMarks(command.body ?? '').trim()) ?? []
  if (name === undefined) return command
  const body = variables.valueOf(name, place)
  return body === undefined ? { ...command, body: undefined, variable: name } : { ...command, body }
}

/** Enough for any page of a browser's network panel. */
export const commandsMax = 10_000

/**
 * In the command prompt a caret escapes the next character; before a line break it joins the lines, and the second of two breaks stays. Browsers
 * escape every quote with one. In a command without such quotes, carets between quotes are text.
 */
const withoutCarets = (text: string): string =>
  text.replace(
    text.includes('^"') ? /\^(\r?\n)(\r?\n)?|\^([\s\S])/g : /\^(\r?\n)(\r?\n)?/g,
    (_, first, second, character) => (typeof character === 'string' ? character : second ? '\n' : first ? ' ' : ''),
  )

/** Whether a word is certainly an address: a whole URL, or a name with a dot, a port or nothing before a path. */
export const isAddress = (word: string): boolean =>
  /^(?:https?:\/\/|(?:[^\s/@]{1,300}@)?(?:localhost|(?:[a-z\d-]{1,63}\.){1,10}[a-z\d-]{1,63})?(?::\d{1,5})?\/)/i.test(
    word,
  )

function commandOf(program: string, words: readonly string[]): CurlCommand {
  const data: { readonly value: string; readonly isRaw: boolean }[] = []
  const urls: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    const { flag, value } = flagIn(word)
    if (flag === undefined) {
      if (!/^\d?[<>]/.test(word)) urls.push(withoutMarks(word))
      continue
    }
    const takes = dataFlags.has(flag) || valueFlags.has(flag) || flag === '--url'
    if (!takes) continue
    const argument = value ?? words[++index] ?? ''
    if (flag === '--url') urls.unshift(argument)
    else if (dataFlags.has(flag)) data.push({ value: argument, isRaw: flag === '--data-raw' })
  }
  const url = urls.find(word => /^https?:/i.test(word)) ?? urls.find(isAddress) ?? urls[0]
  const [first] = data
  const isHttpie = /^(?:https?|xh)$/.test(program)
  const kind = `${isHttpie ? 'an HTTPie' : `a ${program.replace('.exe', '')}`} command`
  if (first && !first.isRaw && first.value.startsWith('@'))
    return { kind, url, body: undefined, file: withoutMarks(first.value.slice(1)) }
  if (!first && isHttpie) return { kind, url, body: undefined, file: '-' }
  return { kind, url, body: first && data.map(({ value }) => value).join('&') }
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

const dataFlags = new Set([
  ...['-d', '--data', '--data-raw', '--data-binary', '--data-ascii', '--json', '--data-urlencode'],
  ...['--post-data', '--body-data', '--raw'],
])

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
  ...['--retry', '--retry-delay', '--resolve', '--connect-to', '--aws-sigv4', '--oauth2-bearer', '--proxy-user'],
])
