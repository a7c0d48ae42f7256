import type { AgentInputItem, CallModelInputFilterArgs, ModelInputData } from '@openai/agents'
import { Agent, MemorySession, Runner } from '@openai/agents'
import { describe, expect, test } from 'vitest'
import { png } from '../../../src/core/rules/example-media.ts'
import { AntiphonError, type Report } from '../../../src/index.ts'
import { type HealInputFilterOptions, healInputFilter } from '../../../src/integrations/openai-agents/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { type FailureName, failureNames, failures, healthy } from '../fetch/failures.ts'
import { type ApiName, agentFor, answer, ask, call, itemsOf, runTool, says, user } from './agents.ts'

/** What the SDK sends is refused; what it does not list is accepted, though for some it has dropped a result in silence. */
const refused: Record<ApiName, Partial<Record<FailureName, 400>>> = {
  responses: { orphan: 400, unanswered: 400 },
  chat: { orphan: 400, interrupt: 400, system: 400, unanswered: 400 },
}
const runs = (['responses', 'chat'] as const).flatMap(api =>
  [false, true].flatMap(stream => failureNames.map(name => ({ api, stream, name }))),
)

test.each(['responses', 'chat'] as const)(
  '[LM8] an image that no one can read is a text in the request, %s',
  async api => {
    await using strict = await startStrict({ script: () => 'Yes.' })
    const page = `data:image/png;base64,${btoa('<!doctype html><title>not found</title>')}`
    const image = `data:image/png;base64,${png(100, 100)}`
    const input: AgentInputItem[] = [
      {
        role: 'user',
        content: [
          { type: 'input_image', image: page },
          { type: 'input_image', image },
        ],
      },
      call('call_1'),
      {
        ...{ type: 'function_call_result', name: 'run', callId: 'call_1', status: 'completed' },
        output: [{ type: 'input_image' as const, image: page }],
      },
      user('Go on.'),
    ]
    const reports: Report[] = []
    const filter = healInputFilter({ onError: fail, onRepair: report => reports.push(report) })
    await ask({ url: strict.url, api, filter }, input)
    const body = JSON.stringify(strict.requests[0].body)
    expect(body).toContain(image)
    expect(body).not.toContain(page)
    expect(body.match(/\[image removed/g)).toHaveLength(2)
    expect(reports).toHaveLength(1)
    expect(reports[0].repairs.map(({ rule }) => rule)).toEqual(['unreadable-image', 'unreadable-image'])
  },
)

test('[SE688] results without their calls at the beginning are repaired for Chat Completions, which store nothing', async () => {
  await using strict = await startStrict({ script: () => 'Yes.' })
  const input = [answer('call_1', 'sunny'), answer('call_2', 'rainy')]
  await expect(ask({ url: strict.url, api: 'chat' }, input)).rejects.toThrow('400')
  const reports: Report[] = []
  const filter = healInputFilter({ onError: fail, onRepair: report => reports.push(report) })
  expect((await ask({ url: strict.url, api: 'chat', filter }, input)).finalOutput).toBe('Yes.')
  expect(reports[0]?.repairs.map(({ rule }) => rule)).toEqual(['orphan-result', 'orphan-result'])
})

describe('the failures', () => {
  test.each(runs)('[OA1] $name, $api, streaming $stream', async ({ api, stream, name }) => {
    const isLocal = name === 'system' && api === 'chat'
    const provider = isLocal ? { provider: 'qwen-template' } : {}
    await using strict = await startStrict({ ...provider, script: () => 'Yes.' })
    const question = { url: strict.url, api, stream }
    const input = itemsOf(failures[name])
    const isRefused = refused[api][name] !== undefined
    const without = await ask(question, input).then(
      () => 200,
      (error: { status?: number }) => error.status,
    )
    expect(without).toBe(isRefused ? 400 : 200)
    const filter = healInputFilter({ onError: fail, ...(isLocal ? { for: 'qwen-template' } : {}) })
    const { finalOutput } = await ask({ ...question, filter }, input)
    expect(finalOutput).toBe('Yes.')
    expect(strict.requests[1].verdict).toBe('accepted')
  })

  test('[OA1] of an observation and a later error the SDK keeps the error in silence; the filter keeps what was observed', async () => {
    await using strict = await startStrict({ script: ['Yes.'] })
    const input = [user('Charge.'), call('call_1'), answer('call_1', 'charged'), answer('call_1', 'worker restarted')]
    await ask({ url: strict.url }, input)
    await ask({ url: strict.url, filter: healInputFilter() }, input)
    const outputs = strict.requests.map(({ body }) => JSON.stringify(body).match(/"output":"(.*?)"/)?.[1])
    expect(outputs).toEqual(['worker restarted', 'charged'])
  })

  test.each(['responses', 'chat'] as const)(
    '[OA1] ids that a later turn uses again stay apart, %s: the SDK makes one call of two',
    async api => {
      await using strict = await startStrict({ script: ['Yes.'] })
      const input = ['one', 'two'].flatMap(word => [user(word), call('call_0'), answer('call_0', word)])
      const question = { url: strict.url, api }
      await ask(question, input).catch(() => {})
      await ask({ ...question, filter: healInputFilter({ onError: fail }) }, input)
      const [without, healed] = strict.requests.map(({ body }) => countOf(body))
      expect([without, healed]).toEqual([2, 4])
      expect(strict.requests[1].verdict).toBe('accepted')
    },
  )

  test('[OA1] words of the system that may not stand where they are join the instructions', async () => {
    const said = heal(itemsOf(failures.system), { for: 'qwen-template' }, 'Be brief.')
    expect(said.instructions).toBe('Be brief.\n\nYou are a travel agent.')
    expect(said.input).toEqual(itemsOf(failures.system.filter(({ who }) => who !== 'system')))
  })
})

describe('what is not broken', () => {
  test.each((['responses', 'chat'] as const).flatMap(api => [false, true].map(stream => ({ api, stream }))))(
    '[OA2] a run with a tool reports no repair, $api, streaming $stream',
    async ({ api, stream }) => {
      await using strict = await startStrict({ script: [{ calls: [{ name: 'run', input: {} }] }, 'Done.'] })
      const reports: Report[] = []
      const filter = healInputFilter({ onError: fail, onRepair: report => reports.push(report) })
      let runs = 0
      const question = { url: strict.url, api, stream, filter, tools: [runTool(() => `run ${++runs}`)] }
      const { finalOutput } = await ask(question, 'Run it.')
      expect({ finalOutput, runs, reports }).toEqual({ finalOutput: 'Done.', runs: 1, reports: [] })
      expect(strict.requests.map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted'])
      expect(JSON.stringify(strict.requests[1].body)).toContain('run 1')
    },
  )

  test.each(['responses', 'chat'] as const)('[SE651] a run with parallel calls reports no repair, %s', async api => {
    const calls = [{ name: 'run' }, { name: 'run' }]
    await using strict = await startStrict({ script: [{ text: 'I run it twice.', calls }, { calls }, 'Done.'] })
    const reports: Report[] = []
    const filter = healInputFilter({ onError: fail, onRepair: report => reports.push(report) })
    const { finalOutput } = await ask({ url: strict.url, api, filter, tools: [runTool(() => 'ran')] }, 'Run it twice.')
    expect({ finalOutput, reports }).toEqual({ finalOutput: 'Done.', reports: [] })
  })

  test('[OA2] a healthy input goes on as the very same object', () => {
    const data = { input: [...everything, ...itemsOf(healthy)], instructions: 'Be brief.' }
    expect(healInputFilter({ onError: fail })(argsOf(data))).toBe(data)
  })

  test('[OA2] in a broken one untouched items are the very same objects, whatever stands in them', () => {
    const orphan = answer('call_lost', 'late')
    const input = [...everything, orphan]
    const healed = heal(input)
    expect(healed.input.toSpliced(-2, 1)).toHaveLength(input.length)
    for (const [index, item] of healed.input.toSpliced(-2, 1).entries()) expect(item).toBe(input[index])
  })

  test('[OA2] calls of every kind get an answer of their own kind, which the provider takes', async () => {
    const calls = everything.filter(({ type }) => type?.endsWith('call') && type !== 'hosted_tool_call')
    const input = [user('Go on.'), ...calls, user('Well?')]
    const made = heal(input).input.filter(({ type }) => /(result|output)$/.test(type ?? ''))
    expect(made.map(({ type }) => type)).toEqual([
      ...['function_call_result', 'computer_call_result', 'shell_call_output', 'apply_patch_call_output'],
    ])
    expect(made[0]).toMatchObject({ name: 'run', callId: 'call_f', status: 'incomplete' })
    await using strict = await startStrict({ script: () => 'Yes.' })
    await expect(ask({ url: strict.url }, input)).rejects.toMatchObject({ status: 400 })
    await ask({ url: strict.url, filter: healInputFilter({ onError: fail }) }, input)
    expect(strict.requests.map(({ verdict }) => verdict)).toMatchObject([{ status: 400 }, 'accepted'])
  })

  test('[OA2] what the provider runs or asks for is left alone', () => {
    const approval = { type: 'mcp_approval_request', id: 'mcpr_1', name: 'x', server_label: 's', arguments: '{}' }
    const items = [
      user('Go.'),
      { type: 'shell_call', callId: 'call_s', status: 'in_progress', action: { commands: ['ls'] } },
      { type: 'hosted_tool_call', name: 'mcp_approval_request', id: 'mcpr_1', providerData: approval },
      { type: 'program', id: 'prog_1', callId: 'call_p', code: 'run()' },
      { ...call('call_1'), caller: { type: 'program', callerId: 'call_p' } },
      answer('call_1', 'ok'),
      { type: 'program_output', callId: 'call_p', output: 'ok' },
    ] as AgentInputItem[]
    expect(heal(items).input).toBe(items)
  })

  test('[OA2] whatever is not an item at all goes on as it is', () => {
    const items = [null, 5, 'x', {}, { type: 'function_call' }, { role: 'weird' }] as unknown as AgentInputItem[]
    const { input } = heal([user('Go.'), ...items, user('Well?')])
    for (const item of items.filter(item => item?.type === undefined)) expect(input).toContain(item)
  })

  test('[OA2] an item that is repaired keeps whatever else stands in it', () => {
    const cut = { ...call('call_1'), arguments: '{"to":', id: 'fc_1', providerData: { x: 1 } } as AgentInputItem
    const [, repaired] = heal([user('Go.'), cut, answer('call_1', 'ok')]).input
    expect(repaired).toEqual({ ...cut, arguments: '{"_cut_off":"{\\"to\\":"}' })
  })

  test('[OA3] results whose calls the provider holds are not orphans', async () => {
    await using strict = await startStrict()
    const reports: Report[] = []
    const filter = healInputFilter({ onError: fail, onRepair: report => reports.push(report), model: 'gpt-4.1' })
    await ask({ url: strict.url, filter }, 'Run it.')
    expect([strict.requests.length, reports]).toEqual([2, []])
    const delta = [answer('call_held', 'ok'), user('And?')]
    expect(heal(delta).input).toBe(delta)
    expect(heal(delta, { continues: false, orphans: 'drop' }).input).toEqual([user('And?')])
  })

  test('[SE402] nor are they if the approval of an MCP call is sent with them', () => {
    const approval = {
      ...{ type: 'hosted_tool_call', name: 'mcp_approval_response' },
      providerData: { approve: true, approval_request_id: 'mcpr_1' },
    } as AgentInputItem
    for (const delta of [[answer('call_held', 'ok'), approval], [approval, answer('call_held', 'ok')], [approval]])
      expect(heal(delta).input).toBe(delta)
    // A call of the model in the input says that it is a whole history.
    const whole = [answer('call_lost', 'ok'), approval, call('call_1'), answer('call_1', 'ok')]
    expect(heal(whole).input).not.toBe(whole)
  })

  test('[OA3] a whole run with state at the provider sends what is new alone, and it arrives', async () => {
    await using strict = await startStrict()
    const reports: Report[] = []
    const filter = healInputFilter({ onError: fail, onRepair: report => reports.push(report), model: 'gpt-4.1' })
    const runner = new Runner({ tracingDisabled: true, callModelInputFilter: filter })
    const agent = agentFor({ url: strict.url })
    const { lastResponseId: previousResponseId = '' } = await runner.run(agent, 'Hello.')
    await runner.run(agent, 'Again.', { previousResponseId })
    expect(reports).toEqual([])
    expect(strict.requests.every(({ verdict }) => verdict === 'accepted')).toBe(true)
    expect(JSON.stringify(strict.requests.at(-1)?.body)).toContain('previous_response_id')
  })
})

describe('with a session', () => {
  test('[OA4] what was said is stored as it was, and what the filter dropped is still there', async () => {
    await using strict = await startStrict({ script: ['Yes.'] })
    const before = itemsOf(failures.orphan)
    const session = new MemorySession({ initialItems: before })
    await ask({ url: strict.url, session, filter: healInputFilter({ onError: fail, orphans: 'drop' }) }, 'And 1044?')
    const items = await session.getItems()
    expect(items.slice(0, before.length)).toEqual(before)
    expect(items.slice(before.length)).toMatchObject([{ role: 'user', content: 'And 1044?' }, { role: 'assistant' }])
  })

  test('[OA4] several steps with tools in one run', async () => {
    await using strict = await startStrict({ script: [{ calls: [{ name: 'run', input: {} }] }, 'Done.'] })
    const session = new MemorySession({ initialItems: itemsOf(failures.orphan) })
    const { finalOutput } = await ask(
      { url: strict.url, session, filter: healInputFilter(), tools: [runTool()] },
      'Go.',
    )
    expect(finalOutput).toBe('Done.')
    expect(strict.requests.map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted'])
  })
})

test('[OA5] onRepair hears of every change, and no run fails because of healing or of a listener', async () => {
  const reports: Report[] = []
  heal(itemsOf(failures.unanswered), { onRepair: report => reports.push(report) })
  expect(reports).toMatchObject([{ changed: true, repairs: [{ rule: 'unanswered-call' }] }])
  const errors: unknown[] = []
  const data = { input: undefined as unknown as AgentInputItem[] }
  expect(healInputFilter({ onError: error => errors.push(error) })(argsOf(data))).toBe(data)
  expect(errors.length).toBe(1)
  const warned = new Promise<Error>(resolve => process.once('warning', resolve))
  heal(itemsOf(failures.unanswered), { onRepair: () => fail(new Error('a listener')) })
  expect(await warned).toMatchObject({ name: 'AntiphonWarning', message: 'a listener' })
  expect(() => healInputFilter({ for: 'nobody' as 'openai' })).toThrow(AntiphonError)
})

/** One of each, as the SDK knows them. */
const everything: AgentInputItem[] = [
  user('Everything, please.'),
  {
    ...{ type: 'reasoning', id: 'rs_1', content: [{ type: 'input_text', text: 'Hm.' }] },
    providerData: { encrypted_content: 'abc' },
  },
  { type: 'hosted_tool_call', id: 'ws_1', name: 'web_search_call', status: 'completed', providerData: { action: {} } },
  says('One moment.'),
  { ...call('call_f'), id: 'fc_1' } as AgentInputItem,
  { type: 'computer_call', callId: 'call_c', id: 'cu_1', status: 'completed', action: { type: 'screenshot' } },
  { type: 'shell_call', callId: 'call_s', id: 'sh_1', status: 'completed', action: { commands: ['ls'] } },
  {
    ...{ type: 'apply_patch_call', callId: 'call_p', id: 'apc_1', status: 'completed' },
    operation: { type: 'create_file', path: 'a', diff: '+a' },
  } as AgentInputItem,
  { ...answer('call_f', ''), output: { type: 'text', text: 'ok' } } as AgentInputItem,
  {
    ...{ type: 'computer_call_result', callId: 'call_c' },
    output: { type: 'computer_screenshot', data: 'data:image/png;base64,AAAA' },
  } as AgentInputItem,
  {
    ...{ type: 'shell_call_output', callId: 'call_s' },
    output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exitCode: 0 } }],
  } as AgentInputItem,
  { type: 'apply_patch_call_output', callId: 'call_p', status: 'completed', output: 'ok' },
  says('Done.'),
  { type: 'unknown', providerData: { type: 'something_new' } },
  user('Thanks.'),
]

const argsOf = (modelData: ModelInputData): CallModelInputFilterArgs => ({
  ...{ modelData, context: undefined },
  agent: new Agent({ name: 'a' }) as CallModelInputFilterArgs['agent'],
})

/** How many calls and results a request shows. */
const countOf = (body: unknown): number | undefined =>
  JSON.stringify(body).match(/"(tool_)?call_id":|"tool_calls":/g)?.length

function heal(input: AgentInputItem[], options: HealInputFilterOptions = {}, instructions?: string): ModelInputData {
  const data = { input, ...(instructions === undefined ? {} : { instructions }) }
  return healInputFilter({ onError: fail, ...options })(argsOf(data)) as ModelInputData
}

function fail(error: unknown): never {
  throw error
}
