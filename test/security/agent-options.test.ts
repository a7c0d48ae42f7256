import { expect, test } from 'vitest'
import { chatHandler } from '../../src/integrations/ai-sdk/index.ts'
import { type AgentOptions, agent, openJournal, run } from '../../src/journal/index.ts'
import { calls, says } from '../journal/contract/model.ts'

const model = () => says('Done.')

test.each<[string, AgentOptions]>([
  ['agent research: model is missing', {}],
  ['agent research: models[1] is not a model', { models: [model, undefined as never] }],
  ['agent research: maxSteps must be 0 or more, got NaN', { model, maxSteps: Number.NaN }],
  ['agent research: unknown dialect "opnai"', { model, for: 'opnai' as never }],
  ['agent research: unknown format "openai"', { model, thread: { format: 'openai' as never } }],
  ['agent research: leaseMs must be 0 or more, got NaN', { model, thread: { leaseMs: Number.NaN } }],
  ['expiresMs of research must be 0 or more, got NaN', { model, expiresMs: Number.NaN }],
  ['agent research: agent look: model is missing', { model, tools: { look: agent({}) } }],
])(
  '[SE572] a run and a worker say at once, instead of waiting for the agent for ever: %s',
  async (message, options) => {
    await using journal = await openJournal('memory:')
    const thread = journal.thread('t', { for: 'openai' })
    await thread.submit('Hello')
    const tools = { research: agent(options) }
    await expect(run(thread, { model: () => calls(['research']), tools })).rejects.toThrow(message)
    expect(() => journal.work({ model, tools, thread: { for: 'openai' } })).toThrow(message)
    expect(await thread.status()).toMatchObject({ state: 'waiting' })
  },
)

test('[SE572] an agent may be among its own tools', async () => {
  await using journal = await openJournal('memory:')
  const thread = journal.thread('t', { for: 'openai' })
  await thread.submit('Hello')
  const options = { model, tools: {} }
  const research = agent(options)
  options.tools = { research }
  expect(await run(thread, { model, tools: { research } })).toMatchObject({ status: 'done' })
})

test('[SE573] an agent of a chat may be among its own tools', async () => {
  await using journal = await openJournal('memory:')
  const deep = [calls(['research', { q: 'more' }]), says('Found.'), says('Found more.')]
  const options = { model: () => deep.shift(), tools: {} }
  const research = agent(options)
  options.tools = { research }
  const answers = [calls(['research', { q: 'it' }]), says('Done.')]
  const handler = chatHandler(journal, { model: () => answers.shift(), tools: { research }, thread: { for: 'openai' } })
  const headers = { 'content-type': 'application/json' }
  const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Search' }] }
  const body = JSON.stringify({ id: 't', message })
  const response = await handler(new Request('http://site/chat', { method: 'POST', headers, body }))
  expect(await response.text()).toContain('Done.')
  expect(deep).toEqual([])
})
