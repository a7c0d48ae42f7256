import { isUtf8 } from 'node:buffer'
import { apiHosts, type Framework, frameworks, plainFetch, pythonFrameworks } from './frameworks.ts'
import { maskCode } from './mask-code.ts'
import { type Edited, findCalls } from './place-in-file.ts'
import { type Project, type SourceFile, sourceFiles } from './read-project.ts'

/** A framework that a project uses, and where its lines belong. */
export interface PlannedFramework {
  readonly framework: Framework
  /** The version, as the project names it. */
  readonly version?: string
  readonly places: readonly PlannedPlace[]
  /** The one file that can be changed for sure, or why there is none. */
  readonly edit: { readonly file: SourceFile; readonly text: string } | { readonly reason: string }
  /** All places have it already, or do not need it. */
  readonly isDone: boolean
}

export interface PlannedPlace {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** What a project uses, and what it needs. */
export function planInit(project: Project): PlannedFramework[] {
  const { packages, python } = project
  const files = packages === undefined ? [] : [...sourceFiles(project.folder)]
  const used = frameworks.flatMap(framework => {
    const name = framework.packages.find(one => packages?.has(one))
    if (name === undefined) return []
    const version = packages?.get(name)
    return [{ ...planFor(framework, files), ...(version === undefined ? {} : { version }) }]
  })
  const direct = used.length === 0 ? planFetch(files) : undefined
  const inPython = pythonFrameworks
    .filter(framework => framework.packages.some(name => python?.has(name)))
    .map(framework => ({
      ...{ framework, places: [], isDone: false },
      edit: { reason: 'Python programs use the proxy; no file has to change' },
    }))
  return [...used, ...(direct ? [direct] : []), ...inPython]
}

function planFor(framework: Framework, files: readonly SourceFile[]): PlannedFramework {
  const { place } = framework
  if (!place) {
    const reason = 'the place where the client is created cannot be detected'
    return { framework, places: importing(framework, files), edit: { reason }, isDone: false }
  }
  const calls = files.flatMap(file => findCalls(codeOf(file), place).map(call => ({ file, call })))
  const open = calls.filter(({ call }) => !call.isDone)
  const places = calls.map(({ file, call: { line, text } }) => ({ file: file.name, line, text }))
  const base = { framework, places, isDone: calls.length > 0 && open.length === 0 }
  const [only] = open
  if (base.isDone) return { ...base, edit: { reason: 'it is there already' } }
  if (!only) {
    const reason = 'no call that takes the option was found'
    return { ...base, places: importing(framework, files), edit: { reason } }
  }
  if (open.length > 1) return { ...base, edit: { reason: `${open.length} calls could take the option` } }
  return { ...base, edit: editOf(only.file, only.call.edited()) }
}

/** In another encoding, the file could not be written back as it is. A byte order mark stays at its beginning. */
const editOf = (file: SourceFile, edited: Edited): PlannedFramework['edit'] =>
  typeof edited !== 'string'
    ? edited
    : isUtf8(file.bytes)
      ? { file, text: hasByteOrderMark(file) ? byteOrderMark + edited : edited }
      : { reason: 'its file is not UTF-8' }

const byteOrderMark = '\uFEFF'

const hasByteOrderMark = ({ bytes }: SourceFile): boolean => bytes.subarray(0, 3).equals(Buffer.from(byteOrderMark))

/** The code of a file, without a byte order mark: a search for the beginning of a line would not find the first statement. */
const codeOf = (file: SourceFile): string => file.bytes.toString('utf8').slice(hasByteOrderMark(file) ? 1 : 0)

/** Without a known call, files that import the framework are the likely places. */
const importing = ({ packages }: Framework, files: readonly SourceFile[]): PlannedPlace[] =>
  files.flatMap(file => {
    const lines = codeOf(file).split('\n')
    const line = lines.findIndex(text => packages.some(one => isImport(text, one)))
    return line < 0 ? [] : [{ file: file.name, line: line + 1, text: (lines[line] ?? '').trim() }]
  })

const isImport = (line: string, name: string): boolean =>
  ["'", '"'].some(quote => line.includes(`${quote}${name}${quote}`) || line.includes(`${quote}${name}/`)) &&
  /\b(import|require|from)\b/.test(line)

/** A project that calls an API without any of the frameworks. */
function planFetch(files: readonly SourceFile[]): PlannedFramework | undefined {
  const places: PlannedPlace[] = []
  const edits: { file: SourceFile; text: string | undefined }[] = []
  let isDone = false
  for (const file of files) {
    const code = codeOf(file)
    const line = code.split('\n').findIndex(text => apiHosts.test(text))
    if (line < 0 || !/\bfetch\(/.test(code)) continue
    places.push({ file: file.name, line: line + 1, text: (code.split('\n')[line] ?? '').trim() })
    if (code.includes('antiphon/fetch')) isDone = true
    else edits.push({ file, text: withOwnFetch(code) })
  }
  const [only] = edits
  if (places.length === 0) return undefined
  const base = { framework: plainFetch, places, isDone: isDone && edits.length === 0 }
  if (!only) return { ...base, edit: { reason: 'it is there already' } }
  if (edits.length > 1) return { ...base, edit: { reason: `the lines may belong to ${edits.length} files` } }
  return { ...base, edit: editOf(only.file, only.text ?? { reason: 'the file could not be parsed' }) }
}

/** Both lines after the imports, if the file is a module that calls the global `fetch`. */
function withOwnFetch(code: string): string | undefined {
  const masked = maskCode(code)
  if (masked === undefined || /\brequire\(|\bmodule\.exports\b/.test(masked)) return undefined
  if (
    /(?:const|let|var|function|import|class)\s{1,20}(?:\{[^}]{0,2000}\b)?fetch\b|[{,]\s{0,50}fetch\s{0,20}[,}]/.test(
      masked,
    )
  )
    return undefined
  const isModule = /^(?:import|export) /m.test(masked)
  if (!isModule) return undefined
  const last = [...masked.matchAll(/^import\b(?!\s*\()[^\r\n]{0,2000}$/gm)].at(-1)
  const at = last ? last.index + last[0].length : 0
  // Nothing may precede the first line of a program, or a directive such as 'use server'. An import may go on in the next line.
  if (last ? !/['"];?[ \t]*$/.test(code.slice(last.index, at)) : /^\s*(?:#!|['"])/.test(withoutComments(code)))
    return undefined
  if (/\bfetch\(/.test(masked.slice(0, at))) return undefined
  const lineEnd = code.includes('\r\n') ? '\r\n' : '\n'
  const lines = plainFetch.lines.join(lineEnd)
  return last ? `${code.slice(0, at)}${lineEnd}${lines}${code.slice(at)}` : `${lines}${lineEnd}${lineEnd}${code}`
}

/** The code without the comments that it begins with. */
function withoutComments(code: string): string {
  let at = 0
  for (;;) {
    while (at < code.length && /\s/.test(code.charAt(at))) at++
    const close = code.startsWith('//', at) ? '\n' : code.startsWith('/*', at) ? '*/' : undefined
    const end = close === undefined ? -1 : code.indexOf(close, at + 2)
    if (close === undefined || end < 0) return code.slice(at)
    at = end + close.length
  }
}
