import { expect, test } from 'vitest'
import { call, event, healText, meta, result, rollout, rolloutName, said, user } from '../doctor/systems/codex/lines.ts'
import { requestOf } from '../doctor/systems/codex/request.ts'
import type { Json } from '../doctor/systems/codex/rollout.ts'

type Line = [string, Json]

const turn = (id: string, ...lines: Line[]): Line[] => [
  event('task_started', { turn_id: id }),
  ...lines,
  event('task_complete', { turn_id: id }),
]
const compaction: Line = [
  'compacted',
  { message: '', replacement_history: [user('Look.')[1], user('A summary of it.')[1]] },
]
const rollback = (turns: number): Line => event('thread_rolled_back', { num_turns: turns })

/** A call with two results, which every version of Codex sends, and OpenAI rejects. */
const first = turn('1', user('Look.'), call('a'), result('a'), result('a', 'again'), said('Done.'))
const last = turn('9', user('And now?'), said('Nothing.'))

/** What Codex 0.169.0 sent of each. */
test.each<[string, Line[]]>([
  ['at the beginning of it', [...turn('2', compaction, user('More.'), said('Sure.')), rollback(1)]],
  ['in the middle of it', [...turn('2', user('More.'), call('b'), compaction, said('Sure.')), rollback(1)]],
  [
    'in a turn before that',
    [...turn('2', user('More.')), ...turn('3', compaction), ...turn('4', user('Much more.')), rollback(2)],
  ],
  [
    'in one of two that were rolled back one by one',
    [...turn('2', compaction, user('More.')), rollback(1), ...turn('3', user('Much more.')), rollback(1)],
  ],
])(
  '[SE671] a compaction of Codex that was rolled back with its turn, %s, hides nothing that was said before',
  async (_, lines) => {
    const text = rollout([meta(), ...first, ...lines, ...last])
    const { broken, ...healed } = await healText(text)
    expect(broken).toEqual([expect.stringContaining('duplicate-result')])
    const path = rolloutName()
    const { input } = requestOf(new Map([[path, Buffer.from(healed.text)]]), path)
    expect(textsOf(input)).toEqual(['Look.', 'And now?'])
    expect(input.filter(({ type }) => type === 'function_call_output')).toHaveLength(1)
    expect((await healText(healed.text)).broken).toEqual([])
  },
)

test('[SE671] an older compaction that stays is what the program begins with', async () => {
  const kept: Line = ['compacted', { message: '', replacement_history: [user('So far.')[1], call('x')[1]] }]
  const text = rollout([
    meta(),
    ...first,
    ...turn('2', kept, user('More.')),
    ...turn('3', compaction, user('Much more.')),
    rollback(1),
  ])
  const { broken } = await healText(text)
  expect(broken).toEqual([expect.stringContaining('unanswered-call')])
})

const textsOf = (input: readonly Json[]): unknown[] =>
  input.flatMap(({ role, content }) => (role === 'user' ? (content as Json[]).map(part => part.text) : []))
