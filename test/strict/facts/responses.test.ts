import { afterEach, describe, expect, test } from 'vitest'
import { type ReplyScript, type Strict, startStrict } from '../../../src/strict/index.ts'
import { facts } from '../../../src/strict/providers/openai-responses/facts.ts'
import { fc, fco, item, msg, rs, says } from '../../oracle/cases/items.ts'
import { type Json, post } from '../http.ts'
import { ask, expectAll, expectRefusal, type Refused, titled } from './rejections.ts'

const path = '/openai/v1/responses'
const hi = says('user')
const custom = item('custom_tool_call', { call_id: 'A', name: 'sh', input: 'ls' })
const customOutput = item('custom_tool_call_output', { call_id: 'A', output: 'x' })
const localShell = item('local_shell_call', { call_id: 'A', action: {} })
const localShellOutput = item('local_shell_call_output', { call_id: 'A', output: 'x' })
const shell = item('shell_call', { call_id: 'A', action: {} })
const computer = item('computer_call', { call_id: 'A', action: {} })
const screen = item('computer_call_output', { call_id: 'A', output: { type: 'computer_screenshot' } })
const patch = item('apply_patch_call', { call_id: 'A', operation: {} })
const search = item('tool_search_call', { call_id: 'A', execution: 'client' })
const long = 'c'.repeat(65)

const row = (
  fact: string,
  refused: unknown[],
  [message, param = null, code = null]: (string | null)[],
  accepted: unknown[],
  more: Partial<Refused> = {},
): Refused => ({
  ...{ fact, path, refused: { model: 'gpt-5', input: refused }, accepted: { model: 'gpt-5', input: accepted } },
  body: { error: { message, type: 'invalid_request_error', param, code } },
  ...more,
})

const noFollower = (id: string) => `Item '${id}' of type 'reasoning' was provided without its required following item.`

const cases: Refused[] = [
  row(
    'or-missing-output-fn',
    [hi, fc('A'), hi],
    ['No tool output found for function call A.', 'input'],
    [hi, fc('A'), hi, fco('A')],
  ),
  row(
    'or-missing-output-custom',
    [hi, custom, hi],
    ['No tool output found for custom tool call A.', 'input'],
    [hi, custom, customOutput],
  ),
  row(
    'or-missing-output-shell',
    [hi, localShell, hi],
    ['No tool output found for local shell call A.', 'input'],
    [hi, localShell, localShellOutput],
  ),
  row(
    'or-missing-output-shell',
    [hi, localShell, item('local_shell_call_output', { id: 'A', output: 'x' })],
    ['No tool output found for local shell call A.', 'input'],
    [hi, localShell, fco('A')],
    { name: 'answered under id' },
  ),
  row(
    'or-missing-output-shell',
    [hi, shell],
    ['No tool output found for shell call A.', 'input'],
    [hi, shell, item('shell_call_output', { call_id: 'A', output: [] })],
    { name: 'the newer shell' },
  ),
  row(
    'or-missing-output-computer',
    [hi, computer, hi],
    ['No tool output found for computer call A.', 'input'],
    [hi, computer, screen],
  ),
  row(
    'or-missing-output-patch',
    [hi, patch],
    ['No tool output found for apply patch call A.', 'input'],
    [hi, patch, item('apply_patch_call_output', { call_id: 'A', status: 'completed' })],
    { pedantic: true },
  ),
  row(
    'or-missing-output-search',
    [hi, search],
    ['No tool output found for tool search call A.', 'input'],
    [hi, { ...search, execution: 'server' }],
    { pedantic: true },
  ),
  row(
    'or-orphan-fn',
    [hi, fco('A')],
    ['No tool call found for function call output with call_id A.', 'input'],
    [hi, fc('A'), fco('A')],
  ),
  row(
    'or-orphan-fn',
    [hi, { id: 'msg_1', role: 'user', content: 'hi' }, fco('A')],
    ['No tool call found for function call output with call_id A.', 'input'],
    [hi, { id: 'msg_1' }, fco('A')],
    { name: 'a reference may do without its type' },
  ),
  row(
    'or-orphan-custom',
    [hi, fc('A'), fco('A'), customOutput],
    ['No tool call found for custom tool call output with call_id A.', 'input'],
    [hi, custom, customOutput],
    { pedantic: true },
  ),
  row('or-reasoning-no-follow', [hi, rs('rs_1'), hi], [noFollower('rs_1'), 'input'], [hi, rs('rs_1'), msg('msg_1')]),
  row(
    'or-reasoning-no-follow',
    [hi, rs('rs_1'), says('assistant', ''), fc('A', 'fc_1'), fco('A')],
    [noFollower('rs_1'), 'input'],
    [hi, rs('rs_1'), fc('A', 'fc_1'), fco('A')],
    { name: 'an empty message without id' },
  ),
  row(
    'or-reasoning-no-follow',
    [hi, rs('rs_1'), fc('A'), fco('A')],
    [noFollower('rs_1'), 'input'],
    [hi, item('reasoning', { summary: [] }), fc('A'), fco('A')],
    { name: 'a follower without id', pedantic: true },
  ),
  row(
    'or-dup-item',
    [hi, fc('A', 'fc_1'), fco('A'), fc('B', 'fc_1'), fco('B')],
    ['Duplicate item found with id fc_1. Remove duplicate items from your input and try again.', 'input'],
    [hi, fc('A', 'fc_1'), fco('A'), fc('B', 'fc_2'), fco('B')],
  ),
  row(
    'or-dup-output',
    [hi, fc('A'), fco('A'), fco('A')],
    [
      "Duplicate function_call_output for call_id 'A'. Each function_call must have exactly one matching function_call_output",
      'input',
    ],
    [hi, fc('A'), fco('A')],
    { pedantic: true },
  ),
  row(
    'or-id-prefix',
    [hi, fc('A', 'call_1'), fco('A')],
    ["Invalid 'input[1].id': 'call_1'. Expected an ID that begins with 'fc'.", 'input[1].id', 'invalid_value'],
    [hi, fc('A', 'fc_1'), fco('A')],
  ),
  row(
    'or-id-charset',
    [hi, fc('A', ''), fco('A')],
    [
      "Invalid 'input[1].id': ''. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.",
      'input[1].id',
      'invalid_value',
    ],
    [hi, fc('A'), fco('A')],
  ),
  row(
    'or-id-charset',
    [msg('msg_1_')],
    [
      "Invalid 'input[0].id': 'msg_1_'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.",
      'input[0].id',
      'invalid_value',
    ],
    [msg('msg_1-')],
    { name: 'a trailing underscore', pedantic: true },
  ),
  row(
    'or-callid-len',
    [hi, fc(long), fco(long)],
    [
      "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
      'input[1].call_id',
      'string_above_max_length',
    ],
    [hi, fc(long.slice(1)), fco(long.slice(1))],
  ),
  row(
    'or-callid-len',
    [hi, fc(''), fco('')],
    [
      "Invalid 'input[1].call_id': empty string. Expected a string with minimum length 1, but got an empty string instead.",
      'input[1].call_id',
      'empty_string',
    ],
    [hi, fc('A'), fco('A')],
    { name: 'empty' },
  ),
  row(
    'or-role-tool',
    [hi, says('tool')],
    [
      "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
      'input[1]',
      'invalid_value',
    ],
    [hi, says('developer')],
  ),
  row(
    'or-output-type',
    [hi, computer, { ...screen, output: 'x' }],
    [
      "Invalid type for 'input[2].output': expected a computer call output, but got a string instead.",
      'input[2].output',
      'invalid_type',
    ],
    [hi, computer, screen],
  ),
  {
    fact: 'or-not-persisted',
    path,
    refused: { model: 'gpt-5', store: false, input: [hi, item('item_reference', { id: 'rs_1' })] },
    status: 404,
    body: {
      error: {
        message:
          "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
        ...{ type: 'invalid_request_error', param: 'input', code: null },
      },
    },
    accepted: { model: 'gpt-5', store: false, input: [hi] },
  },
  {
    fact: 'or-not-persisted',
    name: 'reasoning without its content',
    path,
    refused: { model: 'gpt-5', store: false, input: [hi, { ...rs('rs_1'), encrypted_content: null }, msg('msg_1')] },
    status: 404,
    body: {
      error: {
        message:
          "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
        ...{ type: 'invalid_request_error', param: 'input', code: null },
      },
    },
    accepted: { model: 'gpt-5', store: false, input: [hi, says('assistant', 'hi there')] },
  },
  row(
    'or-encrypted',
    [hi, { ...rs('rs_1'), encrypted_content: 'EqQBCkYICxgCKkAforeign' }, msg('msg_1')],
    [
      'The encrypted content for item rs_1 could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
      null,
      'invalid_encrypted_content',
    ],
    [hi, says('assistant', 'hi there')],
  ),
  row(
    'or-encrypted',
    [hi, item('reasoning', { summary: [], encrypted_content: 'Working it out.' }), says('assistant')],
    [
      'The encrypted content Work...out. could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
      null,
      'invalid_encrypted_content',
    ],
    [hi, item('reasoning', { summary: [], encrypted_content: 'gAAAAABpQm-x_DQ==' }), says('assistant')],
    { name: 'without id' },
  ),
]

describe.each(['openai', 'azure'])('%s', provider => {
  test.each(titled(cases))('%s', async (_, example) => {
    await expectRefusal({ ...example, path: path.replace('openai', provider) })
  })
})

test('every fact is shown', () => {
  const told = ['or-fc-no-reasoning', 'or-msg-no-reasoning'].map(fact => ({ fact }))
  expectAll(facts, [...cases, ...told])
})

describe('what is stored', () => {
  const thought: ReplyScript = [{ thinking: 'Hm.', calls: [{ name: 'weather', id: 'A' }] }, 'Sunny.', 'Warm.']
  const spoken: ReplyScript = [{ thinking: 'Hm.', text: 'Let me see.' }, 'Sunny.']
  const unanswered = refusal('No tool output found for function call A.')

  test('or-missing-output-fn: in the chain of a previous response', async () => {
    const { first, again } = await talk(thought)
    const previous_response_id = first.id
    expect(await again({ previous_response_id, input: 'And now?' })).toEqual([400, unanswered])
    expect(await again({ previous_response_id, input: [fco('A')] })).toEqual([200])
  })

  test('or-missing-output-fn: in a conversation', async () => {
    const { again, conversation } = await talk(thought, true)
    expect(await again({ conversation, input: 'And now?' })).toEqual([400, unanswered])
    expect(await again({ conversation: { id: conversation }, input: [fco('A')] })).toEqual([200])
    expect(await again({ conversation, input: 'And now?' })).toEqual([200])
  })

  test('or-orphan-fn: the chain does not have it either', async () => {
    const { first, again } = await talk(spoken)
    const orphan = refusal('No tool call found for function call output with call_id A.')
    expect(await again({ previous_response_id: first.id, input: [fco('A')] })).toEqual([400, orphan])
    expect(await again({ previous_response_id: first.id, input: [fc('A'), fco('A')] })).toEqual([200])
  })

  test('or-dup-item: once in the chain and once in the input', async () => {
    const { first, output, again } = await talk(thought)
    const message = `Duplicate item found with id ${output[0].id}. Remove duplicate items from your input and try again.`
    const input = [...output, fco('A')]
    expect(await again({ previous_response_id: first.id, input })).toEqual([400, refusal(message)])
    const reference = [item('item_reference', { id: output[0].id }), fco('A')]
    expect(await again({ previous_response_id: first.id, input: reference })).toEqual([400, refusal(message)])
    expect(await again({ input })).toEqual([200])
  })

  test('or-fc-no-reasoning', async () => {
    const { output, again } = await talk(thought)
    const [reasoning, call] = output
    const message = `Item '${call.id}' of type 'function_call' was provided without its required 'reasoning' item: '${reasoning.id}'.`
    expect(await again({ input: [hi, call, fco('A')] })).toEqual([400, refusal(message)])
    expect(await again({ input: [hi, fc('A'), fco('A')] })).toEqual([200])
    expect(await again({ input: [hi, reasoning, call, fco('A')] })).toEqual([200])
    const [first, second] = output.map(({ id }) => item('item_reference', { id }))
    expect(await again({ input: [hi, second, fco('A')] })).toEqual([400, refusal(message)])
    expect(await again({ input: [hi, first, second, fco('A')] })).toEqual([200])
  })

  test('or-msg-no-reasoning', async () => {
    const { output, again } = await talk(spoken)
    const [reasoning, words] = output
    const message = `Item '${words.id}' of type 'message' was provided without its required 'reasoning' item: '${reasoning.id}'.`
    expect(await again({ input: [hi, words, hi] })).toEqual([400, refusal(message)])
    expect(await again({ input: [hi, { ...words, id: undefined }, hi] })).toEqual([200])
    expect(await again({ input: [hi, reasoning, words, hi] })).toEqual([200])
  })

  test('or-reasoning-no-follow: followed by something else', async () => {
    const { output, again } = await talk(thought)
    const refused = [400, refusal(noFollower(String(output[0].id)))]
    expect(await again({ input: [hi, output[0], msg('msg_1'), hi] })).toEqual(refused)
    expect(await again({ input: [hi, output[0], output[1], fco('A')] })).toEqual([200])
  })

  test('or-not-persisted: what was stored is found without storing', async () => {
    const { output, again } = await talk(thought)
    expect(await again({ store: false, input: [hi, ...output, fco('A')] })).toEqual([200])
  })

  test('or-encrypted: what this server encrypted it can read', async () => {
    const stateless = { store: false, include: ['reasoning.encrypted_content'] }
    const { output, again } = await talk(thought, false, stateless)
    expect(output[0].encrypted_content).toMatch(/^gAAA/)
    expect(await again({ ...stateless, input: [hi, ...output, fco('A')] })).toEqual([200])
    const forged = { ...output[0], encrypted_content: `${output[0].encrypted_content}x` }
    const message = `The encrypted content for item ${output[0].id} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`
    const error = { message, type: 'invalid_request_error', param: null, code: 'invalid_encrypted_content' }
    expect(await again({ ...stateless, input: [hi, forged, output[1], fco('A')] })).toEqual([400, { error }])
  })

  test('places are those of the input, not of the chain', async () => {
    const { first, again } = await talk(spoken)
    const [status, body] = await again({ previous_response_id: first.id, input: [hi, fc('B', 'call_1'), fco('B')] })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { param: 'input[1].id' } })
  })
})

test.each([
  ['messages and reasoning between a call and its output', [hi, fc('A'), hi, rs('rs_1'), msg('msg_1'), fco('A')]],
  ['an output in front of its call', [hi, fco('A'), fc('A')]],
  ['reasoning in front of what other tools do', [hi, rs('rs_1'), item('mcp_approval_request', { id: 'mcpr_1' })]],
  ['a plain string', 'hello'],
  ['an id of as many letters as there may be, each of two units', [hi, fc('😀'.repeat(64)), fco('😀'.repeat(64))]],
  ['an output without an id', [hi, fc('A'), fco('A'), { ...fco('A'), call_id: undefined }]],
  ['a call without an id', [hi, { ...fc('A'), call_id: undefined }]],
])('takes %s', async (_, input) => {
  expect((await ask(path, { model: 'gpt-5', input })).status).toBe(200)
})

function refusal(message: string) {
  return { error: { message, type: 'invalid_request_error', param: 'input', code: null } }
}

const servers: Strict[] = []

afterEach(async () => {
  for (const strict of servers.splice(0)) await strict.close()
})

/** Says something to a server, and lets one say more: the status comes back, and the refusal if there is one. */
async function talk(script: ReplyScript, isConversation = false, more: Json = {}) {
  const strict = await startStrict({ provider: 'openai', script })
  const conversation = isConversation ? (await post(strict, '/v1/conversations', {})).json().id : undefined
  const send = (body: Json) => post(strict, '/v1/responses', { model: 'gpt-5', ...more, ...body })
  const first = (await send({ input: [hi], ...(isConversation && { conversation }) })).json()
  const again = async (body: Json): Promise<unknown[]> => {
    const { status, json } = await send(body)
    return status === 200 ? [200] : [status, json()]
  }
  servers.push(strict)
  return { first, output: first.output as Json[], conversation, again }
}
