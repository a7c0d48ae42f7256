import { isRecord } from '../../core/conversation.ts'
import type { Path } from '../../core/request/path-text.ts'

export { type Path, pathText } from '../../core/request/path-text.ts'

/** The places that a text names, each as steps from the request down, with indexes from 0. */
export function pathsIn(text: string): Path[] {
  const found = new Map<string, Path>()
  for (const [match] of text.matchAll(written)) {
    const path = stepsOf(match)
    if (path.some(step => typeof step === 'number')) found.set(path.join('.'), path)
  }
  return [...found.values()]
}

/**
 * Paths as providers write them: `messages.3.content.1`, `messages[3]`, `contents[0].parts[1]`, `messages.[3].role`, `$.messages[3]`,
 * `messages.2.member.content`, `#/messages/3/content`.
 */
const written =
  /(?<![\w.[/])(?:\w{1,40}\.|\$\.|#?\/)?(?:messages|input|contents|tools|system|toolConfig|tool_choice)(?:\.\w{1,60}|\.?\[\w{0,40}\]|\/\w{1,60}){1,20}/g

/** The steps of a path. AWS counts from 1, and writes `member` after each index. */
export function stepsOf(text: string): Path {
  const words = text
    .replace(/^[#$/]{1,2}/, '')
    .split(/[.[\]/]+/)
    .filter(word => word !== '')
  const steps: (string | number)[] = []
  for (const [at, word] of words.entries()) {
    if (!/^\d{1,9}$/.test(word)) {
      if (word !== 'member') steps.push(word)
    } else steps.push(words[at + 1] === 'member' ? Number(word) - 1 : Number(word))
  }
  return steps
}

/** A value in a request, and where it is. */
export interface FoundPath {
  readonly value: unknown
  readonly path: Path
  /** The object or list that holds it. */
  readonly holder: Record<string, unknown> | unknown[] | undefined
  /** The last step that the request knows; steps after it name what it does not have. */
  readonly rest: Path
}

/**
 * The value that a path leads to. Steps that the request does not have are skipped, since paths name the types of blocks (`image`,
 * `pdf`, `custom`, `ephemeral`), roles and wrappers among the keys.
 */
export function findPath(body: unknown, path: Path): FoundPath {
  let value = body
  let holder: FoundPath['holder']
  const known: (string | number)[] = []
  let rest: (string | number)[] = []
  for (const [at, step] of path.entries()) {
    const key = keyOf(value, step)
    // A value without keys leads nowhere: the step is the type of a block.
    const inner = key === undefined ? undefined : (value as Record<string | number, unknown>)[key]
    if (key === undefined || (at < path.length - 1 && (typeof inner !== 'object' || inner === null))) {
      rest.push(step)
      continue
    }
    rest = []
    holder = value as FoundPath['holder']
    value = inner
    known.push(key)
  }
  return { value, path: known, holder, rest }
}

function keyOf(value: unknown, step: string | number): string | number | undefined {
  if (Array.isArray(value)) return typeof step === 'number' && step < value.length ? step : undefined
  if (!isRecord(value)) return undefined
  const name = String(step)
  return [name, camelCase(name), snakeCase(name)].find(key => Object.hasOwn(value, key))
}

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** The innermost element of a list on a path that is an object: a block, a message or a tool. */
export function elementAt(body: unknown, path: Path): Record<string, unknown> | undefined {
  let value = body
  let element: Record<string, unknown> | undefined
  for (const step of path) {
    const key = keyOf(value, step)
    if (key === undefined) continue
    const inList = Array.isArray(value)
    value = (value as Record<string | number, unknown>)[key]
    if (inList && isRecord(value)) element = value as Record<string, unknown>
  }
  return element
}
