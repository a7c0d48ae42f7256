import { closeSync, fstatSync, readdirSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { tryParseJson } from '../core/json/try-parse-json.ts'
import { fileError } from './files/file-error.ts'
import { openRegularFile } from './files/regular-file.ts'

/** A first look at a path, which reads only what is needed. */
export interface Peek {
  readonly path: string
  readonly name: string
  readonly kind: 'file' | 'directory' | 'url'
  /** The first bytes of a file, 64 KiB at most; none of a directory. */
  head(): Buffer
  /** The same as text, without an incomplete last character. */
  headText(): string
  /** The first line of a file as a value; undefined if it is not JSON or is cut off. */
  firstLine(): unknown
  /** Whether a directory contains a name. */
  has(name: string): boolean
  /** The first names in a directory, in no particular order. */
  names(): readonly string[]
}

/** Looks at a path. Throws the error of the file system. */
export function peekAt(path: string): Peek {
  const kind = kindOf(path)
  let head: Buffer | undefined
  let text: string | undefined
  let names: readonly string[] | undefined
  const peek: Peek = {
    path,
    name: basename(path),
    kind,
    head: () => (head ??= kind === 'file' ? readHead(path) : Buffer.alloc(0)),
    headText: () => (text ??= new TextDecoder().decode(peek.head(), { stream: true })),
    firstLine: () => lineValue(peek.headText()),
    has: name => kind === 'directory' && statSync(join(path, name), { throwIfNoEntry: false }) !== undefined,
    names: () => (names ??= kind === 'directory' ? readdirSync(path).slice(0, namesMax) : []),
  }
  return peek
}

export const isUrl = (path: string): boolean => /^postgres(ql)?:\/\//.test(path)

/** Opening a pipe or a device may block forever. */
function kindOf(path: string): Peek['kind'] {
  if (isUrl(path)) return 'url'
  const stat = statSync(path)
  if (stat.isDirectory()) return 'directory'
  if (!stat.isFile()) throw fileError(path, 'it is neither a file nor a folder')
  return 'file'
}

const namesMax = 1_000
const headBytes = 64 * 1024

function readHead(path: string): Buffer {
  const file = openRegularFile(path)
  try {
    const head = Buffer.alloc(Math.min(fstatSync(file).size, headBytes))
    return head.subarray(0, readSync(file, head, 0, head.length, 0))
  } finally {
    closeSync(file)
  }
}

function lineValue(text: string): unknown {
  const end = text.indexOf('\n')
  return tryParseJson(text.slice(0, end < 0 ? text.length : end).replace(/^\uFEFF/, ''))
}
