import { expect, test } from 'vitest'
import type { DialectId } from '../../../src/core/dialects/index.ts'
import { healRequest } from '../../../src/heal/request/heal-request.ts'
import { type FetchReport, healFetch } from '../../../src/integrations/fetch/index.ts'
import { arbitraryHistory, arbitraryJson } from '../../laws/arbitrary-json.ts'
import { history } from '../../laws/history.ts'
import type { Codec } from '../../laws/plan.ts'
import { Random } from '../../laws/random.ts'
import { seedsOf, triesAll } from '../../sample.ts'
import { post } from './requests.ts'

const places: [path: string, codec: Codec, key: string][] = [
  ['/v1/chat/completions', 'openai-chat', 'messages'],
  ['/mistral/v1/chat/completions', 'openai-chat', 'messages'],
  ['/v2/chat', 'openai-chat', 'messages'],
  ['/v1/responses', 'openai-responses', 'input'],
  ['/v1/messages', 'anthropic', 'messages'],
  ['/v1beta/models/gemini-3-pro:generateContent', 'gemini', 'contents'],
  ['/model/anthropic.claude-opus-4-6-v1%3A0/converse', 'bedrock', 'messages'],
]

const seeds = seedsOf(400, 130).map(index => index + 1)

test.each(places)('[H13] %s: what is sent is the original, or the result of healRequest', async (path, codec, key) => {
  let healed = 0
  for (const seed of seeds) {
    const random = new Random(seed)
    const body = {
      model: random.pick(['gpt-5', 'claude-opus-4-6', 'gemini-3-pro']),
      [key]: history(codec, seed).messages,
    }
    const text = JSON.stringify(body)
    const { sent, report } = await send(path, text, `seed ${seed}`)
    if (!report) expect(sent === text, `seed ${seed}`).toBe(true)
    else {
      healed++
      const choices = { for: report.dialect as DialectId, format: report.format, model: body.model as string }
      expect(sent, `seed ${seed}`).toBe(JSON.stringify(healRequest(JSON.parse(text), choices).body))
      const again = await send(path, sent, `seed ${seed}, again`)
      expect(again.sent === sent, `seed ${seed}, again`).toBe(true)
    }
  }
  expect(healed).toBeGreaterThan(seeds.length / (triesAll ? 2 : 3))
})

test.each(places)('[H13] %s: no body makes a request fail', async (path, _, key) => {
  for (const seed of seeds) {
    const random = new Random(seed)
    const value = random.pick([
      () => arbitraryJson(random),
      () => ({ [key]: arbitraryHistory(random) }),
      () => ({ [key]: arbitraryJson(random), model: arbitraryJson(random), tools: arbitraryJson(random) }),
    ])()
    const text = JSON.stringify(value)
    const cut = random.chance(0.2) ? text.slice(0, random.int(text.length)) : text
    const { sent, report } = await send(path, cut, `seed ${seed}`)
    if (!report) expect(sent === cut, `seed ${seed}`).toBe(true)
  }
})

/** What goes out. Fails if there is an error, of whatever kind. */
async function send(
  path: string,
  text: string,
  name: string,
): Promise<{ sent: string; report: FetchReport | undefined }> {
  const sent: unknown[] = []
  const spy: typeof fetch = async (_, init) => {
    sent.push(init?.body)
    return new Response('{}')
  }
  const reports: FetchReport[] = []
  const errors: unknown[] = []
  const onRepair = (report: FetchReport) => reports.push(report)
  const heal = healFetch({ fetch: spy, onRepair, onError: error => errors.push(error) })
  await heal(`https://gateway.example${path}`, post(text))
  expect([sent.length, errors], name).toEqual([1, []])
  return { sent: sent[0] as string, report: reports[0] }
}
