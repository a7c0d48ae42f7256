import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { skimRollout } from '../../../../src/doctor/systems/codex/skim.ts'
import { inFolder } from '../../contract.ts'
import { call, event, item, meta, result, rollout, said, user } from './lines.ts'
import { skimAgrees, skimRandomly } from './skim-agrees.ts'

describe('the skim of a rollout', () => {
  test('[DD87] it passes nothing in which the examination finds something, and passes what is healthy', async () => {
    await inFolder(async folder => {
      const { healthy, broken } = await skimRandomly(folder, 1, 1_500)
      expect(healthy).toBeGreaterThan(150)
      expect(broken).toBeGreaterThan(150)
    })
  })

  test('[DD87] it passes the healthy samples and no broken one', async () => {
    const samples = join(import.meta.dirname, 'samples')
    const verdicts = ['healthy', 'healed', 'broken'].map(async kind => {
      const [name = ''] = readdirSync(join(samples, kind))
      return skimAgrees(join(samples, kind, name), kind)
    })
    expect(await Promise.all(verdicts)).toEqual(['healthy', 'healthy', 'broken'])
  })

  test.each(Object.entries(healthy()))('[DD87] %s', async (about, records) => {
    expect(await verdictOf(rollout(records), about)).toBe('healthy')
  })

  test.each(Object.entries(broken()))('[DD87] not passed: %s', async (about, text) => {
    expect(await verdictOf(text, about)).not.toBe('healthy')
  })

  test('[DD87] a record that is longer than a block, and many thousands of calls', async () => {
    const long = [meta(), user('long'), call('a'), result('a', 'x"\n'.repeat(700_000)), said('read')]
    expect(await verdictOf(rollout(long), 'long')).toBe('healthy')
    const calls = Array.from({ length: 5_000 }, (_, at) => [call(`call_${at}`), result(`call_${at}`)]).flat()
    expect(await verdictOf(rollout([meta(), user('many'), ...calls, said('done')]), 'many')).toBe('healthy')
    expect(await verdictOf(rollout([meta(), user('many'), ...calls, ...calls.slice(0, 2)]), 'again')).toBe('broken')
    await inFolder(async folder => {
      const path = join(folder, 'rollout.jsonl')
      writeFileSync(path, rollout([meta(), user('many'), ...calls, said('done')]))
      expect(skimRollout(path)).toEqual({ calls: 5_000, results: 5_000 })
    })
  })
})

test('[DD87] more kinds of records than are remembered, in one rollout after the other', async () => {
  const odd = (id: string, at: number): Records[number] =>
    item({ ...(call(id)[1] as object), [`later_${at}`]: at, type: 'function_call' })
  const turns = Array.from({ length: 600 }, (_, at) => [odd(`call_${at}`, at), result(`call_${at}`)]).flat()
  for (const more of [[], [result('call_7')], [said('done')]])
    expect(await verdictOf(rollout([meta(), user('many'), ...turns, ...more]), 'odd')).toBe(
      more[0]?.[1].type === 'function_call_output' ? 'broken' : 'healthy',
    )
})

async function verdictOf(text: string, about: string): Promise<string> {
  let verdict = ''
  await inFolder(async folder => {
    const path = join(folder, 'rollout.jsonl')
    writeFileSync(path, text)
    verdict = await skimAgrees(path, about)
  })
  return verdict
}

type Records = Parameters<typeof rollout>[0]

const turn = (id: string): Records => [user(`for ${id}`), call(id), result(id), said('done')]
const reasoning = (id: string): Records[number] => item({ type: 'reasoning', id, summary: [], encrypted_content: 'x' })

function healthy(): Record<string, Records> {
  const compacted = (history: unknown): Records[number] => ['compacted', { message: 'so far', ...(history as object) }]
  return {
    turns: [meta(), ...turn('a'), ...turn('b'), ...turn('c')],
    'calls of one step': [meta(), user('go'), call('a'), call('b'), result('b'), result('a'), said('done')],
    'reasoning before calls': [meta(), user('go'), reasoning('r1'), call('a'), result('a'), reasoning('r2'), said('x')],
    'a broken history that a compaction replaced': [
      meta(),
      user('go'),
      call('a'),
      compacted({ replacement_history: [user('go')[1]] }),
      ...turn('a'),
    ],
    'the same items in a compaction': [
      meta(),
      ...turn('a'),
      compacted({ replacement_history: [...turn('a')].map(([, payload]) => payload) }),
      ...turn('b'),
    ],
    'an old compaction': [meta(), ...turn('a'), compacted({}), ...turn('b')],
    'ids with escapes': [meta(), ...turn('é"é'), ...turn('\n'), ...turn('c')],
    events: [meta(), event('token_count', { n: 1.5 }), ...turn('a'), event('agent_message', { message: 'x' })],
  }
}

function broken(): Record<string, string> {
  const text = (...records: Records): string => rollout([meta(), ...records])
  const whole = text(...turn('a'), ...turn('b'), ...turn('c'))
  return {
    'a call without a result': text(...turn('a'), user('go'), call('b')),
    'a result without a call': text(...turn('a'), result('b')),
    'a result of another kind': text(
      ...turn('a'),
      user('go'),
      call('b'),
      item({ type: 'custom_tool_call_output', call_id: 'b', output: 'x' }),
    ),
    'a second result': text(...turn('a'), ...turn('b'), result('b')),
    'a second call with the id': text(...turn('a'), ...turn('b'), ...turn('a')),
    'an early result': text(...turn('a'), result('b'), call('b'), said('done')),
    'a late result': text(...turn('a'), call('b'), user('wait'), result('b'), said('done')),
    'a call without an id': text(...turn('a'), call(''), result('')),
    'reasoning without what it led to': text(...turn('a'), reasoning('r'), user('go')),
    'reasoning at the end': text(...turn('a'), reasoning('r')),
    'an item twice': text(reasoning('r'), said('x'), reasoning('r'), said('y')),
    'a rollback': text(...turn('a'), event('thread_rolled_back', { num_turns: 1 })),
    'no header': rollout([...turn('a')]),
    'a header that comes later': rollout([...turn('a'), meta()]),
    'an unknown mode': rollout([meta({ history_mode: 'other' }), ...turn('a')]),
    'a cut record': whole.slice(0, -20),
    'two records on a line': whole.replace('}\n{', '}{'),
    'a byte order mark': `\uFEFF${whole}`,
    'an empty file': '',
    'a line that is not JSON': `${whole}{"timestamp":"2026-05-14T10:22:00.000Z","type":"response_item","payload":}\n`,
    'an escape that JSON does not have': whole.replace(/of c/, 'of \\c'),
    'a half escape': whole.replace(/of c/, 'of \\u12'),
    'a control character': whole.replace(/of c/, 'of \u0001c'),
    'a quote too many': whole.replace(/of c/, 'of "c'),
    'a bracket too many': whole.replace(/of c"/, 'of c"}'),
  }
}
