import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { codex } from '../../../../src/doctor/systems/codex/index.ts'
import { all, inFolder } from '../../contract.ts'
import {
  call,
  event,
  heal,
  healText,
  item,
  meta,
  packed,
  paginated,
  record,
  result,
  rollout,
  rolloutName,
  said,
  shell,
  user,
} from './lines.ts'

describe('rollouts of Codex as files', () => {
  test('[DX15] in a paginated rollout nothing moves: results are appended, with the next numbers', async () => {
    const search = item({ type: 'tool_search_call', call_id: 's', execution: 'client', arguments: {} })
    const head = rollout(
      [paginated(), user('go'), call('a'), search, user('on'), call('b'), user('more'), result('b')],
      0,
    )
    const { text, broken } = await healText(head)
    expect(broken).toEqual(['unanswered-call at line 3', 'unanswered-call at line 4'])
    const tools = { type: 'tool_search_output', call_id: 's', status: 'completed', execution: 'client', tools: [] }
    expect(text).toBe(head + record(...result('a', 'aborted'), 2, 8) + record('response_item', tools, 3, 9))
    const orphan = rollout([paginated(), user('go'), result('x')], 0)
    const left = await healText(orphan)
    expect(left).toMatchObject({ text: orphan, broken: [] })
    expect(left.visit?.examination.notes).toEqual(['line 3 is a result of no call, and Codex passes over it'])
  })

  test('[DX16] what is too much in a paginated rollout is written over, in its length', async () => {
    const asked = item({ type: 'function_call', id: 'fc_1', name: 'f', arguments: '{}', call_id: 'a' })
    const reasoning = item({ type: 'reasoning', id: 'rs_1', summary: [] })
    const before = [paginated(), user('go'), asked, asked, result('a', 'aborted'), user('on'), result('a'), reasoning]
    const nameless = [shell(null, { id: 'lsh_1' }), result('lsh_1'), shell(null), reasoning]
    const { text, broken, visit } = await healText(rollout([...before, user('x'), ...nameless], 0))
    expect(broken).toEqual([
      'repeated-item at line 4',
      'duplicate-result at line 5',
      'reasoning-without-follower at line 8',
      'empty-id at line 10',
      'empty-id at line 12',
      'unanswered-call at line 12',
      'repeated-item at line 13',
    ])
    const spaces = ' '.repeat('"id":"rs_1",'.length)
    const lines = rollout([...before, user('x'), ...nameless], 0).split('\n')
    lines[3] = lines[3].replace('"type":"function_call"', '"type":"x-nction_call"')
    lines[4] = lines[4].replace('"type":"function_call_output"', '"type":"x-nction_call_output"')
    lines[7] = lines[7].replace('"id":"rs_1",', spaces)
    lines[9] = lines[9].replace('null', '"aa"')
    lines[11] = lines[11].replace('null', '"ab"')
    lines[12] = lines[12].replace('"type":"reasoning"', '"type":"x-asoning"')
    const added = record(...result('aa', 'of lsh_1'), 9, 13) + record(...result('ab', 'aborted'), 11, 14)
    expect(text).toBe(lines.join('\n') + added)
    expect(visit?.examination.repairs.flatMap(({ rule, callId }) => (rule === 'empty-id' ? [callId] : []))).toEqual([
      'aa',
      'ab',
    ])
  })

  test('[DX17] records are numbered anew from the first number that does not follow', async () => {
    const all = [paginated(), user('go'), said('well'), event('token_count', { used: 26 }), user('on'), said('so')]
    const right = rollout(all, 0)
    const lines = right.split('\n')
    const twice = lines.map((line, at) => (at < 3 ? line : line.replace(`"ordinal":${at}`, `"ordinal":${at - 1}`)))
    const without = lines.map((line, at) => (at < 4 ? line : line.replace(/"ordinal":\d,/, '')))
    for (const [text, at] of [
      [twice.join('\n'), 4],
      [without.join('\n'), 5],
    ] as const) {
      expect(await healText(text)).toMatchObject({ text: right, broken: [`broken-numbering at line ${at}`] })
    }
    const bad = '{"timestamp":"x","ordinal":3,"type":"event_msg","payload":{"type":"token_count","info":"}}\n'
    const [front, behind] = [lines.slice(0, 3).join('\n'), twice.slice(3).join('\n')]
    const passed = await healText(`${front}\n${bad}${behind}`)
    expect(passed.text).toBe(`${front}\n${bad}${lines.slice(3).join('\n')}`)
    const later = right.replace(/"ordinal":(\d)/g, (_, digit: string) => `"ordinal":${Number(digit) + 7}`)
    expect(await healText(later)).toMatchObject({ text: later, broken: [] })
  })

  test('[DX18] a fork is judged with what it inherits, and answers what was left open there', async () => {
    const parent = '0199f3c2-7b41-7a10-9c55-0f2a4e8d1b11'
    const inherited = rollout([paginated({ id: parent }), user('go'), call('a'), call('b')], 0)
    const whole = inherited + record(...result('a'), 5, 4) + record(...result('b'), 6, 5)
    const base = { thread_id: parent, end_ordinal_exclusive: 4, end_byte_offset: Buffer.byteLength(inherited) }
    const fork = rollout([paginated({ history_base: base }), result('b'), user('on')], 4)
    const here = rolloutName()
    for (const files of [{ [rolloutName(parent)]: whole }, { [`${rolloutName(parent)}.zst`]: packed(whole) }]) {
      const healed = await heal({ [here]: fork, ...files })
      expect(healed.broken).toEqual(['unanswered-call at the rollout that this one was forked from'])
      expect(healed.text).toBe(fork + record(...result('a', 'aborted'), 0, 7))
    }
    const alone = await heal({ [here]: fork })
    expect(alone).toMatchObject({ text: fork, broken: [] })
    expect(alone.visit?.examination.notes).toEqual([
      `the rollout ${parent} that it was forked from is not here, so results without a call were left alone`,
    ])
  })

  test('[SE60] what is written into a truncated parent shows in its fork: one repair is enough for both', async () => {
    const parent = '0199f3c2-7b41-7a10-9c55-0f2a4e8d1bff'
    const child = '0199f3c2-7b41-7a10-9c55-0f2a4e8d1b00'
    // The fork counts on more of its parent than is left of it, and is found first.
    const base = { thread_id: parent, end_ordinal_exclusive: 4, end_byte_offset: 10_000 }
    const files = {
      [rolloutName('0199f3c2-7b41-7a10-9c55-0f2a4e8d1b01')]: rollout(
        [paginated({ id: '1', history_base: { ...base, thread_id: child } }), user('on')],
        6,
      ),
      [rolloutName(child)]: rollout([paginated({ id: child, history_base: base }), user('on')], 4),
      [rolloutName(parent)]: rollout([paginated({ id: parent }), user('go'), call('a'), call('b')], 0),
    }
    await inFolder(async folder => {
      mkdirSync(join(folder, dirname(rolloutName())), { recursive: true })
      for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
      const rules = async (named: readonly string[], fix: boolean): Promise<unknown[]> => {
        const options = { systems: [codex], fix, backups: join(folder, '..', 'backups') }
        const found = await all(examineStores(named, options))
        return found.map(one => one.kind === 'conversation' && [one.id, ...one.examination.repairs.map(r => r.rule)])
      }
      const unanswered = ['unanswered-call', 'unanswered-call']
      // The parent is repaired first, once, wherever it is among the named paths.
      const named = Object.keys(files).map(path => join(folder, path))
      expect(await rules([named[1], named[2], named[0]], true)).toEqual([[parent, ...unanswered], [child], ['1']])
      expect(await rules([folder], false)).toEqual([[child], ['1'], [parent]])
      // A parent that was not named is left as it is.
      for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
      expect(await rules([named[1]], true)).toEqual([[child, ...unanswered]])
      expect(readFileSync(named[2], 'utf8')).toBe(files[rolloutName(parent)])
    })
  })

  test('[DX19] a record that was appended to a torn one is kept, and what Codex fails on is removed', async () => {
    const head = rollout([meta(), user('go'), call('a')])
    const [answer, next] = [record(...result('a'), 4), record(...user('on'), 5)]
    const torn = answer.slice(0, 70)
    const glued = await healText(head + torn + answer + next)
    expect(glued).toMatchObject({ text: head + answer + next, broken: ['torn-record at line 4'] })
    expect(glued.visit?.examination.dropped).toEqual([{ at: 'line 4', rule: 'torn-record', content: torn }])
    const joined = await healText(head.slice(0, -1) + answer + next)
    expect(joined).toMatchObject({ text: head + answer + next, broken: ['joined-records at line 3'] })
    const bytes = Buffer.concat([
      Buffer.from(head),
      Buffer.from(torn),
      Buffer.from([0xe6, 0x87, 10]),
      Buffer.from(answer + next),
    ])
    expect(await heal({ [rolloutName()]: bytes })).toMatchObject({
      text: head + answer + next,
      broken: ['torn-record at line 4'],
    })
    const tail = await healText(head + answer + next.slice(0, 60))
    expect(tail).toMatchObject({ text: head + answer, broken: ['torn-record at line 5'] })
    const marked = await healText(`\uFEFF${head}${answer}`)
    expect(marked).toMatchObject({ text: head + answer, broken: ['byte-order-mark at line 1'] })
    const passed = `${head}${torn}\n${answer}`
    expect(await healText(passed)).toMatchObject({ text: passed, broken: [] })
  })

  test('[DX20] in a paginated rollout a torn record becomes spaces, and no byte after it moves', async () => {
    const [head, answer] = [rollout([paginated(), user('go'), call('a')], 0), record(...result('a'), 4, 3)]
    const torn = answer.slice(0, 70)
    const spaces = ' '.repeat(torn.length)
    expect((await healText(head + torn + answer)).text).toBe(head + spaces + answer)
    expect((await healText(head + answer + torn)).text).toBe(head + answer)
    expect((await healText(`\uFEFF${head}${answer}`)).text).toBe(`   ${head}${answer}`)
  })

  test('[DX21] a compressed rollout is repaired and stays compressed', async () => {
    const path = `${rolloutName()}.zst`
    const broken = rollout([meta(), user('go'), call('a'), user('on')])
    const healed = await heal({ [path]: packed(broken) })
    const made = record(...result('a', 'aborted'), 2)
    expect(healed.text).toBe(rollout([meta(), user('go'), call('a')]) + made + record(...user('on'), 3))
    expect(healed.bytes.subarray(0, 4).toString('hex')).toBe('28b52ffd')
    const beside = await heal({ [path]: packed(broken), [rolloutName()]: rollout([meta(), user('go')]) })
    expect(beside).toMatchObject({ text: broken, broken: [] })
    const renamed = await heal({ 'kept/session.jsonl.zst': packed(broken) })
    expect(renamed.text).toBe(healed.text)
    const damaged = await heal({ [path]: packed(broken.repeat(50)).subarray(0, 60) })
    expect(damaged.trouble).toMatch(/: it is damaged, and cannot be unpacked$/)
    const foreign = await heal({ [path]: 'no such thing' })
    expect(foreign.trouble).toMatch(/: it is damaged, and cannot be unpacked$/)
  })

  test('[DX25] a compressed rollout of several frames is read to its end, large or small', async () => {
    const noise = rollout(Array.from({ length: 120 }, () => said(randomBytes(75_000).toString('base64'))))
    for (const talk of ['', noise]) {
      const frames = [rollout([meta(), user('go')]) + talk, rollout([call('a'), user('on')])]
      const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 7, 7])
      const bytes = Buffer.concat([packed(frames[0]), skipped, packed(frames[1])])
      const { text, broken } = await heal({ [`${rolloutName()}.zst`]: bytes })
      expect(broken).toHaveLength(1)
      expect(
        text ===
          frames[0] + rollout([call('a'), result('a', 'aborted')]).replace(':01.', ':00.') + record(...user('on'), 1),
      ).toBe(true)
      const cut = await heal({ [`${rolloutName()}.zst`]: bytes.subarray(0, -1) })
      expect(cut.trouble).toMatch(/: it is damaged, and cannot be unpacked$/)
    }
  })

  test('[DX26] a record with bytes that are not text keeps all others, in their places', async () => {
    for (const first of [undefined, 0]) {
      const header = first === undefined ? meta() : paginated()
      const text = rollout([header, user('say %% to Zoë'), call('a'), result('a')], first)
      const bytes = Buffer.from(text)
      bytes.set([0xe6, 0x87], bytes.indexOf('%%'))
      const healed = await heal({ [rolloutName()]: bytes })
      expect(healed).toMatchObject({ text: text.replace('%%', '??'), broken: ['invalid-text at line 2'] })
    }
  })

  test('[DX27] a made-up last record ends its line', async () => {
    for (const first of [undefined, 0]) {
      const whole = rollout([first === undefined ? meta() : paginated(), user('go'), call('a')], first)
      const { text } = await healText(whole.trimEnd())
      expect(text).toBe(whole + record(...result('a', 'aborted'), 2, first === undefined ? undefined : 3))
    }
  })

  test('[DX22] what cannot be read is a one-line error', async () => {
    expect((await healText('')).trouble).toMatch(/: the file is empty$/)
    const old = `${JSON.stringify({ id: 'x', timestamp: '2025-05-07', instructions: null })}\n`
    expect((await healText(old)).trouble).toMatch(/: no Codex records were found/)
    const strange = rollout([meta({ history_mode: 'sharded' }), user('go'), call('a')])
    expect((await healText(strange)).trouble).toMatch(
      /: its history is written in the mode sharded, which is not known$/,
    )
    const headless = rollout([user('go'), call('a'), result('a')])
    expect(await healText(headless)).toMatchObject({ text: headless, broken: ['missing-header at line 1'] })
    const late = await healText(record(...user('go'), 1) + record(...meta(), 0) + record(...said('hi'), 2))
    expect(late.broken).toEqual(['misplaced-header at line 2'])
    expect(late.text).toBe(record(...meta(), 0) + record(...user('go'), 1) + record(...said('hi'), 2))
  })

  test('[DX23] sessions are looked for where Codex keeps them', () => {
    const user = { home: '/home/me', folder: '/work', platform: 'linux' }
    expect(codex.places({ ...user, environment: {} })).toEqual([
      '/home/me/.codex/sessions',
      '/home/me/.codex/archived_sessions',
    ])
    expect(codex.places({ ...user, environment: { CODEX_HOME: '/c' } })).toEqual([
      '/c/sessions',
      '/c/archived_sessions',
    ])
  })
})
