import { type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { expect, test } from 'vitest'
import { healMessages, type LangChainReport } from '../../../src/integrations/langchain/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { startRecorder } from '../fetch/recorder.ts'
import { modelAt } from './models.ts'

test('[SE686] an empty list of calls, as some servers answer, is removed for a provider that rejects it', async () => {
  const message = { role: 'assistant', content: 'Hello.', tool_calls: [] }
  const body = JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message }] })
  await using server = await startRecorder({ body })
  await using strict = await startStrict({ script: ['Good.'] })
  const question = new HumanMessage('Hi.')
  const answer = await modelAt(server.url, 'openai').invoke([question])
  const messages: BaseMessage[] = [question, answer, new HumanMessage('Go on.')]
  const model = modelAt(strict.url, 'openai')
  await expect(model.invoke(messages)).rejects.toThrow('empty array')
  const reports: LangChainReport[] = []
  const healed = await healMessages(messages, { model, onRepair: report => reports.push(report) })
  expect((await model.invoke(healed)).text).toBe('Good.')
  expect(reports).toMatchObject([{ repairs: [{ rule: 'empty-calls', class: 'lossless' }], remaining: [] }])
  expect(healed[1]?.additional_kwargs).not.toHaveProperty('tool_calls')
  expect(await healMessages(healed, { model })).toBe(healed)
  expect(await healMessages(messages, { for: 'lenient' })).toBe(messages)
})
