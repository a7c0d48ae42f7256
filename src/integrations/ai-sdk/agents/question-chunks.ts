import type { AgentQuestion } from '../../../journal/agents/agent-questions.ts'
import type { Outcome } from '../../../journal/entry.ts'
import type { Chunk } from '../chunk.ts'
import { outputText } from '../recorded-part.ts'

/** A question that a client has. */
export interface ShownQuestion {
  readonly id: string
  /** The call of the chat whose agent led to it. */
  readonly agentCall: string
}

/**
 * The questions of agents as chunks of an answer. A question is a dynamic tool call with an approval request. `#shown` are those that the client
 * has, with the call of the chat that led to each, and `#open` those of them without a result.
 */
export class QuestionChunks {
  readonly #shown = new Map<string, string>()
  readonly #open = new Set<string>()

  /** The client has these already. */
  assume(shown: Iterable<ShownQuestion>): void {
    for (const { id, agentCall } of shown) this.#show(id, agentCall)
  }

  has(id: string): boolean {
    return this.#shown.has(id)
  }

  /** The questions of agents that the client has, and that have no result. */
  get open(): readonly string[] {
    return [...this.#open]
  }

  get hasOpen(): boolean {
    return this.#open.size > 0
  }

  ask({ id, name, input, path, agents }: AgentQuestion): Chunk[] {
    this.#show(id, path[0] ?? '')
    const providerMetadata = { antiphon: { path: [...path], agents: [...agents] } }
    return [
      { type: 'tool-input-available', toolCallId: id, toolName: name, input, dynamic: true, providerMetadata },
      { type: 'tool-approval-request', approvalId: id, toolCallId: id },
    ]
  }

  /** The result of a question. It is marked as run elsewhere, so that no client takes it for a result that it has to send. */
  settle(id: string, { status, state, content }: Outcome): Chunk[] {
    if (!this.#open.delete(id)) return []
    if (status === 'made-up' && state === 'denied') return [{ type: 'tool-output-denied', toolCallId: id }]
    const result =
      status === 'done'
        ? { type: 'tool-output-available', output: content }
        : { type: 'tool-output-error', errorText: outputText(content) }
    return [{ ...result, toolCallId: id, dynamic: true, providerExecuted: true }]
  }

  /** The call of an agent has a result: its questions need no answer any more. */
  leave(agentCall: string): Chunk[] {
    return this.open.flatMap(id => (this.#shown.get(id) === agentCall ? this.settle(id, left) : []))
  }

  #show(id: string, agentCall: string): void {
    this.#shown.set(id, agentCall)
    this.#open.add(id)
  }
}

const left: Outcome = { status: 'error', content: 'The agent has ended, so this call is not run.' }
