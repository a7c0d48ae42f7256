/** Whether a value with content begins here, rather than a bracket of prose. */
export function beginsValue(text: string, at: number): boolean {
  valueStart.lastIndex = at
  return valueStart.test(text)
}

const valueStart = /[[{]\s*["'[{]/y

/** Whether a value may begin with this bracket. Most brackets of prose and logs, as in `[INFO]`, are followed by a word only. */
export function mayBegin(text: string, at: number): boolean {
  bracketStart.lastIndex = at
  return bracketStart.test(text)
}

const bracketStart =
  /[[({]\s{0,1000}(?:[^\w\s$]|\d|(?:true|false|null|none|nil|undefined)\b|[A-Za-z_$][\w$.]{0,300}\s{0,100}[({"'`=:])/iy

/** Counts lines at places that only go up. */
export function lineCounter(text: string): (at: number) => number {
  let line = 1
  let next = text.indexOf('\n')
  return at => {
    for (; next >= 0 && next < at; next = text.indexOf('\n', next + 1)) line++
    return line
  }
}

export function nextBracket(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '{' && text[at] !== '[' && text[at] !== '(') at++
  return at
}

/** Where the name before a parenthesis begins. */
export function nameBefore(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start < nameMax && /[\w.$]/.test(text.charAt(start - 1))) start--
  return start
}

const nameMax = 100

/** Where the string begins whose first character is at `at`. */
export function startOfString(text: string, at: number): number | undefined {
  const mark = text.charAt(at - 1)
  if (mark !== "'" && mark !== '"') return undefined
  const quote = text.startsWith(mark.repeat(3), at - 3) ? at - 3 : at - 1
  const [prefix = ''] = /(?:\b[rRuUbB]{1,2})?$/.exec(text.slice(Math.max(0, quote - 3), quote)) ?? []
  return quote - prefix.length
}

/** Whether a mark of code comes before a string. Words of a shell follow a space. */
export const followsCode = (text: string, start: number): boolean =>
  /[=:(,[{+]\s{0,20}$/.test(text.slice(Math.max(0, start - 21), start))

/** Why a value is not the whole that was meant, if it is part of an expression such as `history + [...]` or `[...].concat(more)`. */
export function expressionProblem(text: string, start: number, end: number): string | undefined {
  operatorAfter.lastIndex = end
  const isOperand = operatorAfter.test(text) || operatorBefore.test(text.slice(Math.max(0, start - operatorMax), start))
  return isOperand ? 'a value is part of an expression, which is code' : undefined
}

const operatorMax = 100
const operatorAfter = /\s{0,100}\+\s{0,100}[\w$"'`[({]|\.[A-Za-z_$]\w{0,100}\(|\[[\w:-]/y
const operatorBefore = /[\w$)\]][ \t]*\+\s*$/

/** The code blocks of a Markdown text. */
export function markdownCodeBlocks(text: string): string[] {
  const blocks: string[] = []
  let open: { readonly mark: string; readonly lines: string[] } | undefined
  for (const line of text.split('\n')) {
    const [, mark] = /^\s{0,8}(`{3,}|~{3,})/.exec(line) ?? []
    if (open && mark?.startsWith(open.mark) && line.trim() === mark) {
      blocks.push(open.lines.join('\n'))
      open = undefined
    } else if (open) open.lines.push(line)
    else if (mark !== undefined) open = { mark, lines: [] }
  }
  return open ? [...blocks, open.lines.join('\n')] : blocks
}
