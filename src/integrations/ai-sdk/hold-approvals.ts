import { isRecord } from '../../core/conversation.ts'

/**
 * In the prompt of a model, approval responses have no requests: the provider stores those. The responses are taken out while
 * the rest is healed, and put back in their places.
 */
export function holdApprovals(prompt: readonly unknown[]) {
  const wasHeld = new Map<unknown, unknown>()
  const held = prompt.some(isAnswering) ? prompt.map(hold) : prompt
  return { held, release }

  function hold(message: unknown): unknown {
    if (!isAnswering(message)) return message
    const holding = {
      ...message,
      content: message.content.map(part => (isAnswer(part) ? { type: heldType, part } : part)),
    }
    wasHeld.set(holding, message)
    return holding
  }

  function release(message: unknown): unknown {
    const before = wasHeld.get(message)
    if (before !== undefined || !isRecord(message) || !Array.isArray(message.content)) return before ?? message
    if (!message.content.some(isHeld)) return message
    return { ...message, content: message.content.map(part => (isHeld(part) ? part.part : part)) }
  }
}

const heldType = 'antiphon-held'

const isAnswer = (part: unknown): boolean => isRecord(part) && part.type === 'tool-approval-response'

const isHeld = (part: unknown): part is { part: unknown } => isRecord(part) && part.type === heldType

const isAnswering = (message: unknown): message is { role: 'tool'; content: readonly unknown[] } =>
  isRecord(message) && message.role === 'tool' && Array.isArray(message.content) && message.content.some(isAnswer)
