import { describe, expect, test } from 'vitest'
import { action, agent, conversation, error, idOf, observation, on, other, system, user } from './build.ts'
import { baseIn, eventsIn, healed, told } from './heal.ts'
import { refusalsOf } from './judge.ts'

const asked = [system, user('List the files and run the tests.')]

describe('OpenHands, what is on the branch', () => {
  test('[DH3] every action that a crash left open is answered, not only the first', async () => {
    const crashed = [...asked, action('A'), action('B'), action('C'), error('A')]
    const { files, rules } = await healed(conversation(crashed, { status: 'error' }))
    expect(rules).toEqual(['unanswered-call', 'unanswered-call'])
    expect(told(files)).toEqual(['system', 'user', 'call A', 'call B', 'call C', 'error A', 'error B', 'error C'])
    const [, , , , , , b, c] = eventsIn(files)
    expect(b).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      timestamp: '2026-02-27T08:15:05.000000',
      source: 'agent',
      parent_id: idOf(5),
      tool_name: 'terminal',
      tool_call_id: 'B',
      error: '[no result] No result of this call was recorded. Whether it ran is not known.',
      kind: 'AgentErrorEvent',
    })
    expect(c?.parent_id).toBe(b?.id)
    expect(baseIn(files)).toMatchObject({ leaf_event_id: c?.id, execution_status: 'idle' })
    expect(refusalsOf(files)).toEqual([])
  })

  test('[DH3] an old conversation without links gets no links, and no head', async () => {
    const crashed = [...asked, action('A'), action('B'), user('Go on.')]
    const { files } = await healed(conversation(crashed, { status: 'running', isLinear: true }))
    expect(told(files)).toEqual(['system', 'user', 'call A', 'call B', 'error A', 'error B', 'user'])
    expect(eventsIn(files).some(event => 'parent_id' in event)).toBe(false)
    expect(baseIn(files)).toEqual({ id: 'x', execution_status: 'idle', stats: { cost: 1 } })
  })

  test('[DH4] an error that the agent has reacted to stays, and the later observation is dropped and reported', async () => {
    const late = [...asked, action('A'), error('A'), agent('It was stopped.'), observation('A', 2, 'twelve passed')]
    const { files, found } = await healed(conversation(late))
    expect(told(files)).toEqual(['system', 'user', 'call A', 'error A', 'agent'])
    expect(found.examination.dropped.map(({ content }) => content.includes('twelve passed'))).toEqual([true])
    expect(baseIn(files).leaf_event_id).toBe(idOf(4))
  })

  test('[DH17] of two results the removed one counts as lost content, unless both are equal', async () => {
    const late = [...asked, action('A'), error('A'), agent('It was stopped.'), observation('A', 2, 'twelve passed')]
    const second = [...asked, action('A'), observation('A', 2, 'one'), observation('A', 2, 'two'), agent('Well.')]
    for (const events of [late, second]) {
      const { found } = await healed(conversation(events))
      expect(found.examination.repairs.map(repair => repair.class)).toEqual(['lossy'])
    }
    const same = [...asked, action('A'), observation('A', 2, 'one'), observation('A', 2, 'one'), agent('Well.')]
    const { found } = await healed(conversation(same))
    expect(found.examination.repairs.map(repair => repair.class)).toEqual(['lossless'])
  })

  test('[DH18] updates of the state next to the branch keep their numbers', async () => {
    const update = other('ConversationStateUpdateEvent', { key: 'stats', value: {} })
    const crashed = [...asked, action('A'), on(2, update), on(2, update)]
    const before = conversation(crashed, { status: 'error', head: 2 })
    const { files } = await healed(before)
    expect([...files.keys()].filter(name => before.has(name))).toEqual([...before.keys()])
    expect(eventsIn(files).map(({ kind }) => kind)).toEqual([
      'SystemPromptEvent',
      'MessageEvent',
      'ActionEvent',
      'ConversationStateUpdateEvent',
      'ConversationStateUpdateEvent',
      'AgentErrorEvent',
    ])
    const answered = [...asked, action('A'), on(2, update), on(2, error('A')), user('Go on.'), observation('A', 2)]
    const moved = await healed(conversation(answered, { status: 'error' }))
    expect(eventsIn(moved.files).map(({ id }) => id)).toEqual([0, 1, 2, 3, 6, 5].map(idOf))
    expect(refusalsOf(moved.files)).toEqual([])
  })

  test('[DH5] actions that wait for a confirmation stay open', async () => {
    const waiting = [...asked, action('A'), action('B'), other('HookExecutionEvent')]
    const before = conversation(waiting, { status: 'waiting_for_confirmation' })
    const { files, found } = await healed(before)
    expect(found.examination).toMatchObject({ state: 'pending', counts: { calls: 2, results: 0, unanswered: 0 } })
    expect(files).toEqual(before)
  })

  test('[DH5] once the user has continued they are rejected as superseded, and the wait is over', async () => {
    const passed = [...asked, action('A'), user('Never mind.')]
    const { files, found } = await healed(conversation(passed, { status: 'waiting_for_confirmation' }))
    expect(told(files)).toEqual(['system', 'user', 'call A', 'rejected A', 'user'])
    expect(found.examination.repairs[0].help).toContain('never started')
    expect(eventsIn(files)[3]).toMatchObject({
      rejection_reason: 'Superseded by a new user message',
      action_id: idOf(2),
      parent_id: idOf(2),
    })
    expect(baseIn(files)).toMatchObject({ leaf_event_id: idOf(3), execution_status: 'idle' })
    expect(refusalsOf(files)).toEqual([])
  })

  test('[DH6] a result that splits the calls of one response is moved after them', async () => {
    const split = [
      ...asked,
      action('A'),
      action('B', 'r1', false),
      error('B', 'no such tool'),
      action('C'),
      observation('A', 2),
      observation('C', 5),
    ]
    expect(refusalsOf(conversation(split)).length).toBeGreaterThan(0)
    const { files, rules } = await healed(conversation(split))
    expect(rules).toEqual(['split-step'])
    expect(told(files)).toEqual(['system', 'user', 'call A', 'call B', 'call C', 'error B', 'saw A', 'saw C'])
    expect(refusalsOf(files)).toEqual([])
  })

  test('[DH6] a call that was answered before the next one of its response is two messages, and stays so', async () => {
    const before = conversation([
      ...asked,
      action('A', 'r1', false),
      error('A', 'no such tool'),
      action('B'),
      observation('B', 4),
    ])
    const { files, found } = await healed(before)
    expect(found.examination.state).toBe('healthy')
    expect(files).toEqual(before)
  })

  test('[DH7] an error next to its action gets the action back', async () => {
    const beside = [...asked, action('A'), on(1, error('A'))]
    const { files, found } = await healed(conversation(beside, { status: 'error' }))
    expect(told(files)).toEqual(['system', 'user', 'call A', 'error A'])
    expect(found.examination.dropped).toEqual([])
  })

  test('[DH7] a call that the head was reset to gets its result back', async () => {
    const back = [...asked, action('A'), observation('A', 2), agent('Two files.'), on(2, user('Once more.'))]
    const { files } = await healed(conversation(back))
    expect(told(files)).toEqual(['system', 'user', 'call A', 'saw A', 'user'])
    expect(eventsIn(files).find(({ kind, source }) => kind === 'MessageEvent' && source === 'agent')?.parent_id).toBe(
      idOf(3),
    )
  })

  test('[DH8] what a run did before it was stopped is on the branch again', async () => {
    const stopped = [...asked, action('A'), action('B'), observation('A', 2)]
    const { files, rules } = await healed(conversation(stopped, { status: 'running', head: 1 }))
    expect(rules).toEqual(['lagging-head', 'unanswered-call'])
    expect(told(files)).toEqual(['system', 'user', 'call A', 'call B', 'saw A', 'error B'])
  })

  test('[DH8] a head that was reset by hand stays there', async () => {
    const before = conversation([...asked, agent('Two files.'), user('And now?')], { head: 1 })
    const { files, found } = await healed(before)
    expect(found.examination.state).toBe('healthy')
    expect(files).toEqual(before)
  })

  test('[DH9] abandoned branches keep their events, and stay attached where they were', async () => {
    const tree = [
      ...asked,
      action('A'),
      error('A'),
      user('Go on.'),
      observation('A', 2),
      on(3, agent('It was stopped.')),
      on(5, other('ConversationStateUpdateEvent', { key: 'stats', value: {} })),
      on(5, agent('Abandoned.')),
      on(5, agent('Two files.')),
    ]
    const { files } = await healed(conversation(tree))
    expect(told(files)).toEqual(['system', 'user', 'call A', 'saw A', 'user', 'agent'])
    const parents = new Map(eventsIn(files).map(({ id, parent_id: parent }) => [id, parent]))
    expect(parents.get(idOf(6))).toBe(idOf(5))
    expect(parents.get(idOf(7))).toBe(idOf(5))
    expect(parents.get(idOf(8))).toBe(idOf(4))
    expect(eventsIn(files)).toHaveLength(9)
  })

  test('[DH10] a condensation forgets the result that has taken the place of a forgotten one', async () => {
    const forgotten = {
      forgotten_event_ids: [idOf(2), idOf(3), 'never-there'],
      summary: 'Before.',
      summary_offset: 1,
      llm_response_id: 'c1',
    }
    const events = [
      ...asked,
      action('A'),
      error('A'),
      other('Condensation', forgotten),
      user('Go on.'),
      observation('A', 2),
    ]
    const { files, rules } = await healed(conversation(events))
    expect(rules).toContain('forgotten-event')
    expect(told(files)).toEqual(['system', 'user', 'call A', 'saw A', 'Condensation', 'user'])
    expect(eventsIn(files)[4]).toMatchObject({
      forgotten_event_ids: [idOf(2), 'never-there', idOf(6)],
      summary_offset: 1,
    })
  })

  test('[DH10] a summary is never between a call and its result', async () => {
    const forgotten = { forgotten_event_ids: [idOf(1)], summary: 'Before.', summary_offset: 2, llm_response_id: 'c1' }
    const events = [...asked, action('A'), observation('A', 2), other('Condensation', forgotten), user('Go on.')]
    expect(refusalsOf(conversation(events)).length).toBeGreaterThan(0)
    const { files, rules } = await healed(conversation(events))
    expect(rules).toEqual(['misplaced-summary'])
    expect(eventsIn(files)[4]).toMatchObject({ forgotten_event_ids: [idOf(1)], summary_offset: 3 })
    expect(refusalsOf(files)).toEqual([])
  })

  test('[DH10] a condensation that forgets half of a pair is left to the program, which hides the rest', async () => {
    const forgotten = { forgotten_event_ids: [idOf(2), idOf(2)], llm_response_id: 'c1' }
    const before = conversation([
      ...asked,
      action('A'),
      observation('A', 2),
      other('Condensation', forgotten),
      user('Go on.'),
    ])
    const { files, found } = await healed(before)
    expect(found.examination.state).toBe('healthy')
    expect(files).toEqual(before)
  })

  test('[DH11] a repeated call id is renamed with its result, or the program would drop the result', async () => {
    const again = [...asked, action('A'), observation('A', 2), action('A', 'r2'), observation('A', 4)]
    expect(refusalsOf(conversation(again)).length).toBeGreaterThan(0)
    const { files, rules } = await healed(conversation(again))
    expect(rules).toEqual(['duplicate-call-id'])
    const [, , , , call, result] = eventsIn(files)
    expect(call?.tool_call_id).not.toBe('A')
    expect(call?.tool_call).toMatchObject({ id: call?.tool_call_id, arguments: '{"command":"A"}' })
    expect(result?.tool_call_id).toBe(call?.tool_call_id)
    expect(refusalsOf(files)).toEqual([])
  })

  test('[DH11] a result that names another action would be run again, and names its own now', async () => {
    const { files, rules } = await healed(conversation([...asked, action('A'), observation('A', 55)]))
    expect(rules).toEqual(['mismatched-result'])
    expect(eventsIn(files)[3]?.action_id).toBe(idOf(2))
    expect(refusalsOf(files)).toEqual([])
  })
})
