import { type CallPart, type Fields, isRecord, type ResultPart } from '../../core/conversation.ts'
import { idText, text } from '../shared/text.ts'
import { contentOf, fieldsOf, isAside, roleOf, typeOf } from './form.ts'

/**
 * The blocks of calls that the provider ran, and of their results, without their other half in the same turn. The others are
 * ordinary content: a package sends both halves, or neither.
 */
export function loneProviderBlocks(history: readonly unknown[], from: number, to: number): ReadonlySet<unknown> {
  const lone = new Set<unknown>()
  let open = new Map<string, unknown>()
  /** Several outputs of one call are several results. */
  const answered = new Set<string>()
  const endTurn = (): void => {
    for (const block of open.values()) lone.add(block)
    open = new Map()
    answered.clear()
  }
  for (let index = from; index < to; index++) {
    const raw = history[index]
    if (!isRecord(raw) || isAside(raw)) continue
    const role = roleOf(typeOf(raw))
    if (role === 'user') endTurn()
    if (role !== 'assistant') continue
    const content = contentOf(fieldsOf(raw))
    for (const block of Array.isArray(content) ? content : []) {
      const half = halfOf(block)
      if (half?.kind === 'call') open.set(half.id, block)
      else if (half && open.delete(half.id)) answered.add(half.id)
      else if (half && !answered.has(half.id)) lone.add(block)
    }
  }
  endTurn()
  return lone
}

/** Whether a block is a call that the provider ran, or the result of one. */
export const isProviderBlock = (block: unknown): boolean => halfOf(block) !== undefined

/** A block without its other half as a part. */
export function providerPart(block: Fields, slot: number): CallPart | ResultPart | undefined {
  const half = halfOf(block)
  if (!half) return undefined
  const shared = { id: half.id, callKind: 'server', by: 'provider', slot } as const
  return half.kind === 'call'
    ? { kind: 'call', ...shared, name: text(block.name), input: block.input ?? block.args, raw: { content: block } }
    : { kind: 'result', ...shared, content: block.content ?? block.output, raw: block }
}

/** Anthropic's own blocks, and those of LangChain. */
function halfOf(block: unknown): { readonly kind: 'call' | 'result'; readonly id: string } | undefined {
  if (!isRecord(block)) return undefined
  const type = text(block.type)
  if (type === 'server_tool_call' || type.endsWith('_tool_use')) return { kind: 'call', id: idText(block.id) }
  if (type === 'server_tool_call_result') return { kind: 'result', id: idText(block.toolCallId ?? block.tool_call_id) }
  if (!type.endsWith('_tool_result')) return undefined
  return { kind: 'result', id: idText(block.tool_use_id ?? block.tool_call_id) }
}
