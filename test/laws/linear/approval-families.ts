import { ApprovalDecisions } from '../../../src/doctor/systems/agent-framework/decisions.ts'
import type { Trial } from './find-steep.ts'

const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' })
const asked = (id: string) => ({ type: 'function_approval_request', id, function_call: call(id) })
const decided = (id: string) => ({ type: 'function_approval_response', id, approved: true, function_call: call(id) })
const result = (id: string) => ({ type: 'function_result', call_id: id, result: 'done' })

/** Messages of Microsoft Agent Framework, by their contents. */
const sessions: Record<string, (ids: string[]) => object[][]> = {
  'many questions in one message': ids => [[...ids.map(call), ...ids.map(asked)]],
  'many decisions in one message': ids => [[...ids.map(call), ...ids.map(asked)], ids.map(decided)],
  'many results in one message': ids => [[...ids.map(call), ...ids.map(asked)], ids.map(result)],
  'many decisions on one call': ids => [
    [call(ids[0]), asked(ids[0])],
    ...ids.map(() => [decided(ids[0])]),
    ids.slice(2).map(result),
    [],
  ],
}

export function* approvalTrials(): Generator<Trial> {
  for (const [name, write] of Object.entries(sessions))
    yield {
      name,
      prepare(length) {
        const messages = write(Array.from({ length }, (_, index) => `call_${index}`))
        return () => {
          const decisions = new ApprovalDecisions()
          for (const [index, contents] of messages.entries()) decisions.push({ contents }, index + 1)
          return [decisions.waiting, decisions.isAsking, decisions.stale]
        }
      },
    }
}
