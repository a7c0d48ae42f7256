import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { codex } from '../../../../src/doctor/systems/codex/index.ts'
import { healSample } from '../../contract.ts'
import { call, event, healText, item, meta, paginated, record, result, rollout, said, shell, user } from './lines.ts'
import type { Json } from './rollout.ts'

const samples = join(import.meta.dirname, 'samples')
const name = 'rollout-2026-05-14T10-22-00-0199f3c2-7b41-7a10-9c55-0f2a4e8d1b77.jsonl'
const sample = (kind: string): string => join(samples, kind, name)

describe('rollouts of Codex', () => {
  test('[DX7] the broken sample is diagnosed, and repaired to the repaired one', async () => {
    await healSample(codex, sample('broken'), (path, [visit]) => {
      const { state, repairs, counts, dropped } = visit.examination
      expect(state).toBe('broken')
      expect(repairs.map(({ rule, at, callId }) => [rule, at, callId])).toEqual([
        ['unanswered-call', 'line 18', 'call_test02'],
        ['unanswered-call', 'line 19', 'call_tsc02'],
      ])
      expect(repairs.map(({ refusal }) => refusal)).toEqual([
        'No tool output found for local shell call call_test02.',
        'No tool output found for function call call_tsc02.',
      ])
      expect(counts).toEqual({ calls: 4, results: 2, orphans: 0, unanswered: 2 })
      expect(visit.examination.since).toEqual({ turn: 2, at: 'line 18' })
      expect(dropped).toEqual([])
      expect(readFileSync(path, 'utf8')).toBe(readFileSync(sample('healed'), 'utf8'))
    })
    for (const kind of ['healthy', 'healed']) {
      await healSample(codex, sample(kind), (path, [visit]) => {
        expect(visit.examination.state).toBe('healthy')
        expect(readFileSync(path, 'utf8')).toBe(readFileSync(sample(kind), 'utf8'))
      })
    }
  })

  test('[DX8] a call of every kind is answered in its own form, after the calls of its step and in their order', async () => {
    const custom = item({ type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: '' })
    const search = item({ type: 'tool_search_call', call_id: 's', execution: 'client', arguments: {} })
    const before = [meta(), user('go'), call('a'), custom, search, call('b')]
    const after = [result('b'), user('on')]
    const { text, broken } = await healText(rollout([...before, ...after]))
    expect(broken).toEqual([3, 4, 5].map(line => `unanswered-call at line ${line}`))
    const aborted = { output: 'aborted' }
    expect(text).toBe(
      rollout(before) +
        record('response_item', { type: 'function_call_output', call_id: 'a', ...aborted }, 2) +
        record('response_item', { type: 'custom_tool_call_output', call_id: 'c', ...aborted }, 3) +
        record(
          'response_item',
          { type: 'tool_search_output', call_id: 's', status: 'completed', execution: 'client', tools: [] },
          4,
        ) +
        rollout([...before, ...after]).slice(rollout(before).length),
    )
  })

  test('[DX9] a late or early result moves to its call unchanged, and replaces a placeholder', async () => {
    const [late, early] = [
      record('response_item', { ...result('a')[1], size: 1 }, 9).replace('1}', '1.0}'),
      record(...result('b'), 8),
    ]
    const head = rollout([meta(), user('go'), call('a')])
    const next = record(...user('on'), 20)
    const rest = record(...call('b'), 21)
    const { text, broken } = await healText(head + early + next + late + rest)
    expect(broken).toEqual(['misplaced-result at line 4', 'misplaced-result at line 6'])
    expect(text).toBe(head + late + next + rest + early)

    const aborted = record(...result('a', 'aborted'), 3)
    const again = await healText(head + aborted + next + late)
    expect(again.broken).toEqual(['duplicate-result at line 4', 'misplaced-result at line 6'])
    expect(again.text).toBe(head + late + next)
    expect(again.visit?.examination.dropped).toEqual([
      { at: 'line 4', rule: 'duplicate-result', content: JSON.stringify(result('a', 'aborted')[1]) },
    ])
  })

  test('[DX10] what a compaction replaced or a rollback removed is ignored', async () => {
    const base = { message: 'so far', replacement_history: [user('go')[1]] }
    const open = [user('go'), call('a'), result('stray')]
    for (const text of [
      rollout([meta(), ...open, ['compacted', base], said('done')]),
      rollout([meta(), ...open, ['compacted', { message: 'so far' }], said('done')]),
      rollout([meta(), user('go'), said('done'), ...open, event('thread_rolled_back', { num_turns: 1 }), user('else')]),
    ]) {
      expect(await healText(text)).toMatchObject({ text, broken: [] })
    }
    const survives = rollout([meta(), ...open.slice(0, 2), user('b'), event('thread_rolled_back', { num_turns: 1 })])
    expect((await healText(survives)).broken).toEqual(['unanswered-call at line 3'])
  })

  test('[DX11] a compaction is repaired inside, with the metadata of its items', async () => {
    const history = [user('go')[1], call('a')[1], call('b')[1], result('b')[1], result('x')[1], said('done')[1]]
    const known = history.map((_, number) => ({ client_authored: number % 2 === 0 }))
    const compacted = (items: readonly Json[], about: readonly Json[]): [string, Json] => [
      'compacted',
      { message: 'so far', replacement_history: items, replacement_history_metadata: about, window_number: 1 },
    ]
    const { text, broken } = await healText(rollout([meta(), compacted(history, known), user('on')]))
    expect(broken).toEqual([
      'unanswered-call at line 2, replacement_history[1]',
      'orphan-result at line 2, replacement_history[4]',
    ])
    const made = result('a', 'aborted')[1]
    const healed = [...history.slice(0, 3), made, history[3], history[5]]
    const about = [...known.slice(0, 3), { client_authored: false }, known[3], known[5]]
    expect(text).toBe(rollout([meta(), compacted(healed, about), user('on')]))
  })

  test('[DX12] a call without an id gets the one that it was run under', async () => {
    const named = await healText(
      rollout([meta(), user('go'), shell(null, { id: 'lsh_1' }), result('lsh_1'), user('on')]),
    )
    expect(named.broken).toEqual(['empty-id at line 3'])
    expect(named.text).toBe(rollout([meta(), user('go'), shell('lsh_1', { id: 'lsh_1' }), result('lsh_1'), user('on')]))

    const nameless = await healText(rollout([meta(), user('go'), shell(null), result(''), shell(null), user('on')]))
    expect(nameless.broken).toEqual(['empty-id at line 3', 'empty-id at line 5', 'unanswered-call at line 5'])
    const [one, other] = ['call_line_3', 'call_line_5']
    expect(nameless.text).toBe(
      rollout([meta(), user('go'), shell(one), result(one, 'of '), shell(other)]) +
        record(...result(other, 'aborted'), 4) +
        record(...user('on'), 5),
    )
  })

  test('[DX13] an item that was written twice is kept once, and an item whose id is removed keeps its text', async () => {
    const reasoning = item({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' })
    const asked = item({ type: 'function_call', id: 'fc_1', name: 'f', arguments: '{}', call_id: 'a' })
    const twice = await healText(rollout([meta(), user('go'), reasoning, asked, asked, result('a'), result('a')]))
    expect(twice.broken).toEqual(['repeated-item at line 5', 'duplicate-result at line 7'])
    expect(twice.text).toBe(rollout([meta(), user('go'), reasoning, asked]) + record(...result('a'), 5))

    const lone = await healText(rollout([meta(), user('go'), reasoning, user('stop')]))
    expect(lone.broken).toEqual(['reasoning-without-follower at line 3'])
    expect(lone.text).toBe(rollout([meta(), user('go'), reasoning, user('stop')]).replace('"id":"rs_1",', ''))

    const other = await healText(
      rollout([meta(), user('go'), asked, item({ ...result('a', 'x')[1], type: 'custom_tool_call_output' })]),
    )
    expect(other.broken).toEqual(['mismatched-result at line 4'])
    expect(other.text).toBe(rollout([meta(), user('go'), asked, result('a', 'x')]))
  })

  test('[DX14] text of Codex between a call and its result stays in place', async () => {
    const text = rollout([
      meta(),
      user('go'),
      call('a'),
      item({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'a hook says' }] }),
      user('<environment_context>here</environment_context>'),
      user('Warning: apply_patch was asked for by the shell.'),
      said('meanwhile'),
      event('token_count', { info: null }),
      result('a'),
      ['record_of_a_later_version', { any: 'thing' }],
      item({ type: 'custom_tool_call', call_id: 'c', name: 'exec', input: '' }),
      item({ type: 'custom_tool_call_output', call_id: 'c', name: 'exec', output: 'half way' }),
      item({ type: 'custom_tool_call_output', call_id: 'c', output: 'done' }),
      item({ type: 'custom_tool_call_output', call_id: 'c', name: 'exec', output: 'and more' }),
      item({ type: 'tool_search_call', execution: 'server', arguments: {}, call_id: null }),
      item({ type: 'item_of_a_later_version', call_id: 'z' }),
      item({ type: 'message', role: 'system', content: [] }),
    ])
    expect(await healText(`${text}\n   \n`)).toMatchObject({ text: `${text}\n   \n`, broken: [] })
  })

  test('[DX24] a repeated call id is replaced, with its result', async () => {
    const asked = [user('go'), call('call_1'), result('call_1', 'one'), user('again'), call('call_1')]
    const twice = await healText(rollout([meta(), ...asked, result('call_1', 'two'), said('so')]))
    expect(twice.broken).toEqual(['duplicate-call-id at line 6'])
    expect(twice.visit?.examination.dropped).toEqual([])
    const [again, other] = [call('call_2'), result('call_2', 'two')]
    expect(twice.text).toBe(rollout([meta(), ...asked.slice(0, 4), again, other, said('so')]))

    const open = await healText(rollout([meta(), ...asked, user('on')]))
    expect(open.broken).toEqual(['duplicate-call-id at line 6', 'unanswered-call at line 6'])
    expect(open.text).toBe(
      rollout([meta(), ...asked.slice(0, 4), again]) +
        record(...result('call_2', 'aborted'), 5) +
        record(...user('on'), 6),
    )

    const short = await healText(rollout([meta(), user('go'), call('a'), result('a'), call('a'), result('a', 'new')]))
    expect(short.text).toBe(rollout([meta(), user('go'), call('a'), result('a'), call('a_2'), result('a_2', 'new')]))
  })

  test('[DX24] in a paginated rollout the new id is as long as the old one', async () => {
    const asked = [paginated(), user('go'), call('call_1'), result('call_1', 'one'), user('again')]
    const { text, broken } = await healText(rollout([...asked, call('call_1'), result('call_1', 'two')], 0))
    expect(broken).toEqual(['duplicate-call-id at line 6'])
    expect(text).toBe(rollout([...asked, call('call_2'), result('call_2', 'two')], 0))
  })
})
