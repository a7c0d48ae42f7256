import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { generateText, jsonSchema, type ToolSet } from 'ai'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AntiphonError } from '../../../src/core/errors.ts'
import { healFetch } from '../../../src/integrations/fetch/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { contents } from './clients/genai.ts'
import { failures } from './failures.ts'
import { startRecorder } from './recorder.ts'
import { brokenBody, chatPath, messagesOf, post } from './requests.ts'

describe('healing that fails', () => {
  const google = '/v1beta/models/gemini-3-pro:generateContent'

  test('[H9] the original is sent, and the failure is reported', async () => {
    await using server = await startRecorder()
    const errors: unknown[] = []
    const body = JSON.stringify({ contents: contents(failures.orphan) })
    const heal = healFetch({ for: 'anthropic', onError: error => errors.push(error) })
    expect((await heal(server.url + google, post(body))).status).toBe(200)
    expect(server.requests[0].body.toString()).toBe(body)
    expect(errors).toMatchObject([{ code: 'unfit-pair' }])
  })

  test('[H9] a body nested too deep to be written again is sent unchanged', async () => {
    await using server = await startRecorder()
    const errors: unknown[] = []
    const body = brokenBody.replace('"Book the flight."', `${'['.repeat(50_000)}${']'.repeat(50_000)}`)
    await healFetch({ onError: error => errors.push(error) })(server.url + chatPath, post(body))
    expect(server.requests[0].body.toString() === body).toBe(true)
    expect(errors).toMatchObject([expect.any(RangeError)])
  })

  test('[H9] a listener that fails, at once or later, causes a warning and no failure of the request', async () => {
    await using server = await startRecorder()
    const warnings = warningsOfProcess()
    const throwing = () => {
      throw new Error('my listener')
    }
    const rejecting = async () => throwing()
    for (const listener of [throwing, rejecting]) {
      const heal = healFetch({ onRepair: listener, onError: listener })
      expect((await heal(server.url + chatPath, post(brokenBody))).status).toBe(200)
      const signed = post(brokenBody, { headers: { authorization: 'AWS4-HMAC-SHA256 x' } })
      expect((await heal(server.url + chatPath, signed)).status).toBe(200)
    }
    expect(messagesOf(server.requests[0].body).length).toBe(4)
    await new Promise(resolve => setImmediate(resolve))
    expect(warnings.map(({ message }) => message)).toEqual(Array(4).fill('my listener'))
  })

  test('[H9] an error of fetch itself reaches the caller, as without healing', async () => {
    const reset = new TypeError('fetch failed')
    const heal = healFetch({ fetch: () => Promise.reject(reset), onError: fail })
    await expect(heal(`http://any${chatPath}`, post(brokenBody))).rejects.toBe(reset)
    await expect(healFetch()('http://127.0.0.1:1/v1/chat/completions', post(brokenBody))).rejects.toThrow(
      'fetch failed',
    )
  })
})

describe('signed requests', () => {
  const signs: Record<string, [string, Record<string, string>]> = {
    'a signature of AWS': ['', { Authorization: 'AWS4-HMAC-SHA256 Credential=x, Signature=y' }],
    'a signature for several regions': ['', { authorization: 'AWS4-ECDSA-P256-SHA256 Credential=x' }],
    'a hash of the body': ['', { 'X-Amz-Content-Sha256': 'e3b0c442' }],
    'a signature in the query': ['?X-Amz-Signature=abc', {}],
    'a signature of Oracle': ['', { authorization: 'Signature version="1",headers="x-content-sha256"' }],
    'a signature of HTTP messages': ['', { 'signature-input': 'sig1=("content-digest")' }],
  }

  test.each(Object.entries(signs))('[H10] %s: unchanged', async (_, [query, headers]) => {
    await using server = await startRecorder()
    const errors: unknown[] = []
    const heal = healFetch({ onError: error => errors.push(error) })
    for (let time = 0; time < 3; time++) await heal(server.url + chatPath + query, post(brokenBody, { headers }))
    expect(server.requests.map(({ body }) => body.toString())).toEqual(Array(3).fill(brokenBody))
    expect(errors.length).toBe(1)
    expect(AntiphonError.is(errors[0])).toBe(true)
    expect(errors[0]).toMatchObject({ code: 'signed-request' })
  })

  test('[H10] a body that is not part of the signature is healed', async () => {
    await using server = await startRecorder()
    const headers = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', authorization: 'Bearer key' }
    await healFetch({ onError: fail })(server.url + chatPath, post(brokenBody, { headers }))
    expect(messagesOf(server.requests[0].body).length).toBe(4)
  })

  test('[H10] Bedrock as the AI SDK signs it: unchanged, with one process warning that says what to do', async () => {
    const warnings = warningsOfProcess()
    const result = {
      type: 'tool-result' as const,
      toolCallId: 'a',
      toolName: 'run',
      output: { type: 'text' as const, value: 'b' },
    }
    const messages = [
      { role: 'user' as const, content: 'Go.' },
      { role: 'tool' as const, content: [result] },
    ]
    const tools: ToolSet = { run: { inputSchema: jsonSchema({ type: 'object' }) } }
    const keys = { accessKeyId: 'AKIA', secretAccessKey: 'secret' }
    const ask = async (key: object, fetch: typeof globalThis.fetch) => {
      await using strict = await startStrict()
      const bedrock = createAmazonBedrock({ baseURL: strict.url, region: 'us-east-1', fetch, ...key })
      const model = bedrock('anthropic.claude-sonnet-4-5-v1:0')
      await generateText({ model, messages, tools, maxRetries: 0 }).catch(() => {})
      return strict.requests.map(({ verdict }) => (verdict === 'accepted' ? 200 : verdict.status))
    }
    const heal = healFetch()
    expect(await ask(keys, heal)).toEqual([400])
    expect(await ask(keys, heal)).toEqual([400])
    expect(await ask({ apiKey: 'bearer' }, heal)).toEqual([200])
    await new Promise(resolve => setImmediate(resolve))
    const ours = warnings.filter(({ name }) => name === 'AntiphonWarning')
    expect(ours.map(({ message }) => message)).toEqual([expect.stringContaining('antiphon/adapters/aws-sdk')])
  })
})

describe('state stored by the provider', () => {
  const output = { type: 'function_call_output', call_id: 'call_1', output: 'sunny' }
  const held: Record<string, object> = {
    'a previous response': { previous_response_id: 'resp_1', input: [output] },
    'a conversation': { conversation: 'conv_1', input: [output] },
    'an item reference': { input: [{ type: 'item_reference', id: 'fc_1' }, output] },
  }

  test.each(Object.entries(held))('[H11] %s: sent unchanged', async (_, fields) => {
    await using server = await startRecorder()
    const body = JSON.stringify({ model: 'gpt-5', ...fields })
    await healFetch({ onRepair: fail, onError: fail })(`${server.url}/v1/responses`, post(body))
    expect(server.requests[0].body.toString()).toBe(body)
  })
})

function warningsOfProcess(): Error[] {
  const warnings: Error[] = []
  const listen = (warning: Error) => warnings.push(warning)
  process.on('warning', listen)
  onTestFinished(() => {
    process.off('warning', listen)
  })
  return warnings
}

function fail(what: unknown): never {
  throw what
}
