import { type Fields, isRecord } from '../../core/conversation.ts'
import type { Recognition } from '../codec.ts'
import { hasAny, hasId, isText, strongestEvidence, yesOrStrongestEvidence } from '../shared/evidence.ts'

const roles = new Set<unknown>(['system', 'user', 'assistant'])

const states = /^(input-(streaming|available)|output-(available|error|denied)|approval-re(quested|sponded))$/

/**
 * Other formats have typed parts too: the fields of each type tell them apart. Before version 4 had parts, calls were next to
 * the text.
 */
export function recognise(message: unknown): Recognition {
  if (!isRecord(message) || !isText(message.role)) return 'no'
  const { parts, toolInvocations, role, content } = message
  const isKnown = roles.has(role)
  if (!Array.isArray(parts)) {
    if (Array.isArray(toolInvocations))
      return strongestEvidence(toolInvocations, 'likely', call => (hasId(call.toolCallId) ? 'yes' : 'odd'))
    return isKnown && isText(content) ? 'odd' : 'no'
  }
  if (parts.some(isOfOpencode)) return 'no'
  const verdict = yesOrStrongestEvidence(parts, isText(message.id) ? 'likely' : 'maybe', inPart)
  return isKnown || verdict === 'no' ? verdict : 'odd'
}

/** opencode shares the other types, and keeps a call and its result in a part of a type that the AI SDK does not have. */
const isOfOpencode = (part: unknown): boolean => isRecord(part) && part.type === 'tool'

function inPart(part: Fields): Recognition {
  const { type, text, state } = part
  if (!isText(type)) return 'no'
  switch (type) {
    case 'text':
      return isText(text) ? 'maybe' : hasAny(part, ['content', 'data']) ? 'no' : 'odd'
    case 'reasoning':
      return isText(text ?? part.reasoning) ? 'yes' : 'content' in part ? 'no' : 'odd'
    case 'step-start':
      return 'yes'
    case 'file':
      return isText(part.url ?? part.data) ? 'yes' : 'odd'
    case 'tool-invocation':
      return isRecord(part.toolInvocation) ? 'yes' : 'no'
  }
  if (/^(source(-url|-document)?|custom|reasoning-file|steering-message)$/.test(type)) return 'maybe'
  if (type.startsWith('data-')) return 'data' in part ? 'yes' : 'odd'
  if (type !== 'dynamic-tool' && !type.startsWith('tool-')) return 'no'
  if ('state' in part ? !isText(state) || !states.test(state) : !hasAny(part, ['toolCallId', 'input'])) return 'no'
  return hasId(part.toolCallId) && hasAny(part, ['state', 'input', 'errorText']) ? 'yes' : 'odd'
}
