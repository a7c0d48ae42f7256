import { expect, test } from 'vitest'
import { ApprovalDecisions } from '../../src/doctor/systems/agent-framework/decisions.ts'

const many = 2000
const ids = Array.from({ length: many }, (_, index) => `call_${index}`)
const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' })
const asked = (id: string) => ({ type: 'function_approval_request', id, function_call: call(id) })
const decided = (id: string) => ({ type: 'function_approval_response', id, approved: true, function_call: call(id) })
const result = (id: string) => ({ type: 'function_result', call_id: id, result: 'done' })

function decisionsOf(...messages: object[][]): ApprovalDecisions {
  const decisions = new ApprovalDecisions()
  for (const [index, contents] of messages.entries()) decisions.push({ contents }, index + 1)
  return decisions
}

test('[SE701] a message that asks for approval of thousands of calls is read whole', () => {
  const question = [...ids.map(call), ...ids.map(asked)]
  const open = decisionsOf(question)
  expect([open.waiting.size, open.isAsking]).toEqual([many, true])
  const next = decisionsOf(question, ids.map(decided))
  expect([next.waiting.size, next.isAsking, next.stale.length]).toEqual([many, false, 0])
  const answered = decisionsOf(question, ids.map(result))
  expect([answered.waiting.size, answered.isAsking]).toEqual([many, false])
})

test('[SE701] thousands of decisions on one call are read, the oldest first', () => {
  const [id] = ids
  const question = [call(id), asked(id)]
  const decisions = ids.map(() => [decided(id)])
  const left = decisionsOf(
    question,
    ...decisions,
    ids.slice(0, many - 2).map(() => result(id)),
    [],
  )
  expect([...left.waiting]).toEqual([])
  expect(left.stale).toEqual([])
  const repeated = decisionsOf(question, ...decisions, [])
  expect(repeated.stale.map(({ line }) => line)).toEqual(ids.map((_, index) => index + 2))
})
