import { type Fields, isRecord } from '../../core/conversation.ts'
import { idText, text } from '../shared/text.ts'

/**
 * The parts of calls that Anthropic ran itself, and of their results, without their other half in the same turn: Pydantic AI
 * sends them as they are. `opensTurn` says whether a request has a prompt of the user.
 */
export function loneProviderParts(
  history: readonly unknown[],
  from: number,
  to: number,
  opensTurn: (parts: readonly unknown[]) => boolean,
): ReadonlySet<unknown> {
  const lone = new Set<unknown>()
  const open = new Map<string, unknown>()
  const endTurn = (): void => {
    for (const part of open.values()) lone.add(part)
    open.clear()
  }
  for (let index = from; index < to; index++) {
    const raw = history[index]
    const parts = isRecord(raw) && Array.isArray(raw.parts) ? raw.parts : []
    if (isRecord(raw) && raw.kind === 'request' && opensTurn(parts)) endTurn()
    if (!isRecord(raw) || raw.kind !== 'response') continue
    for (const part of parts) {
      const half = halfOf(part)
      if (half === 'call') open.set(idText(part.tool_call_id), part)
      else if (half === 'result' && !open.delete(idText(part.tool_call_id))) lone.add(part)
    }
  }
  endTurn()
  return lone
}

/** Which half of a call that Anthropic ran a part is. Other providers need no pairs. */
export function halfOf(part: unknown): 'call' | 'result' | undefined {
  if (!isRecord(part) || part.provider_name !== 'anthropic') return undefined
  const kind = kindOf(part)
  return kind === 'call' ? 'call' : kind === 'return' ? 'result' : undefined
}

const kindOf = ({ part_kind }: Fields): string | undefined =>
  /^(?:builtin|native)-tool-(call|return)$/.exec(text(part_kind))?.[1]
