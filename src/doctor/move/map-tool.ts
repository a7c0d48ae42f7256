import { isRecord } from '../../core/conversation.ts'
import { type NamedTool, toolsOf } from './tool-names.ts'

export interface ToolCall {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

/**
 * A call as another program would make it; the call itself where that is in doubt, because the other program has no
 * such tool, or no such argument.
 */
export function mappedCall(call: ToolCall, from: string, to: string, cwd: string): ToolCall {
  const tool = toolsOf[from]?.find(({ name }) => name === call.name)
  const other = tool && toolsOf[to]?.find(({ kind }) => kind === tool.kind)
  const common = tool && commonArguments(call.input, tool, cwd)
  const input = other && common && ownArguments(common, other)
  return input ? { name: other.name, input } : call
}

interface CommonArgument {
  readonly name: string
  readonly value: unknown
  readonly isDetail: boolean
}

/** The arguments under their common names; undefined if one of them has none. */
function commonArguments(input: ToolCall['input'], tool: NamedTool, cwd: string): CommonArgument[] | undefined {
  const found: CommonArgument[] = []
  for (const [key, value] of Object.entries(flattened(input, tool))) {
    // Omitted: false or null is the other program's default.
    if (value === undefined || value === null || value === false) continue
    const argument = Object.hasOwn(tool.arguments, key) ? tool.arguments[key] : undefined
    if (!argument) return undefined
    if ('isFolder' in argument && value === cwd) continue
    const known = argument.as === 'command' ? commandText(value) : value
    if (known === undefined) return undefined
    found.push({ name: argument.as, value: known, isDetail: 'isDetail' in argument })
  }
  return found
}

/** The same arguments under the names of a tool; undefined if it lacks one that matters. */
function ownArguments(common: readonly CommonArgument[], tool: NamedTool): Record<string, unknown> | undefined {
  const own: Record<string, unknown> = {}
  for (const { name, value, isDetail } of common) {
    const key = Object.keys(tool.arguments).find(one => tool.arguments[one]?.as === name)
    if (key !== undefined) own[key] = value
    else if (!isDetail) return undefined
  }
  return Object.keys(own).length === 0 ? undefined : nested(own, tool)
}

/** A list with one entry, as arguments beside the path. */
function flattened(input: ToolCall['input'], { listed }: NamedTool): ToolCall['input'] {
  if (listed === undefined) return input
  const { [listed]: list, ...rest } = input
  const [one, ...more] = Array.isArray(list) ? list : []
  return more.length === 0 && isRecord(one) ? { ...rest, ...one } : input
}

function nested(own: Record<string, unknown>, { listed }: NamedTool): Record<string, unknown> {
  if (listed === undefined) return own
  const { path, ...entry } = own
  return { path, [listed]: [entry] }
}

/** A command line. A list of words is one if it is a script for a shell, or if no word needs quotes. */
function commandText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (!Array.isArray(value) || !value.every(word => typeof word === 'string')) return undefined
  const [shell = '', flag = '', script] = value
  if (value.length === 3 && /(^|\/)(ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag)) return script
  return value.every(word => /^[\w./:=@%+,-]+$/.test(word)) ? value.join(' ') : undefined
}
