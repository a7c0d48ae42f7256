import { agUiHandler } from '../../../src/integrations/ag-ui/index.ts'
import { chatHandler } from '../../../src/integrations/ai-sdk/index.ts'
import { type Journal, openJournal, run, type Tools } from '../../../src/journal/index.ts'
import { later } from '../../journal/contract/later.ts'
import type { Trial } from './find-steep.ts'

/** An answer of a model, streamed; and the tools that its calls are for. */
interface Answer {
  chunks(length: number): Delta[]
  readonly tools?: Tools
}

type Delta = { content: string } | { tool_calls: object[] }

const calls = (length: number, idOf: (index: number) => string): Delta[] =>
  Array.from({ length }, (_, index) => ({
    tool_calls: [{ index, id: idOf(index), type: 'function', function: { name: 'look', arguments: '{}' } }],
  }))

const execute = (): string => 'found'

const answers: Readonly<Record<string, Answer>> = {
  text: { chunks: length => Array.from({ length }, () => ({ content: 'word ' })) },
  calls: { chunks: length => calls(length, index => `call_${index}`), tools: { look: { execute } } },
  'calls with one id': { chunks: length => calls(length, () => 'call_1'), tools: { look: { execute } } },
  'calls that wait for an approval': {
    chunks: length => calls(length, index => `call_${index}`),
    tools: { look: { execute, approval: true } },
  },
  'calls of the client': { chunks: length => calls(length, index => `call_${index}`), tools: { look: {} } },
}

/** The first answer is the given one, the next is a word. When all of the first was streamed, `streamed` resolves, and it ends after `end`. */
function modelOf({ chunks }: Answer, length: number) {
  const [streamed, end] = [later<void>(), later<void>()]
  let isFirst = true
  return { streamed: streamed.promise, end: () => end.keep(), model }

  async function* model() {
    const deltas = isFirst ? chunks(length) : [{ content: 'done' }]
    isFirst = false
    for (const delta of deltas) yield { choices: [{ index: 0, delta: { role: 'assistant', ...delta } }] }
    streamed.keep()
    await end.promise
    yield { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
  }
}

const post = (body: object): Request =>
  new Request('http://site/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'hello' }], content: 'hello' }

/** What is done with an answer. Only the returned function is counted. */
type Work = (journal: Journal, answer: Answer, length: number) => Promise<() => Promise<unknown>>

const works: Readonly<Record<string, Work>> = {
  async 'run it'(journal, answer, length) {
    const { model, end } = modelOf(answer, length)
    const thread = journal.thread('t', { for: 'openai' })
    await thread.submit('hello')
    end()
    return async () => run(thread, { model, tools: answer.tools ?? {} })
  },
  async 'read its events late'(journal, answer, length) {
    const { model, end } = modelOf(answer, length)
    const thread = journal.thread('t', { for: 'openai' })
    await thread.submit('hello')
    end()
    const running = run(thread, { model, tools: answer.tools ?? {} })
    const events = running[Symbol.asyncIterator]()
    await running
    return async () => {
      for (;;) if ((await events.next()).done) return
    }
  },
  async 'stream it as a chat'(journal, answer, length) {
    const { model, end } = modelOf(answer, length)
    const handler = chatHandler(journal, { model, tools: chatTools(answer) })
    end()
    return async () => (await handler(post({ id: 't', message }))).text()
  },
  async 'resume it as a chat'(journal, answer, length) {
    const { model, end, streamed } = modelOf(answer, length)
    const handler = chatHandler(journal, { model, tools: chatTools(answer) })
    const first = await handler(post({ id: 't', message }))
    await streamed
    return async () => {
      const resumed = await handler(new Request('http://site/chat/t/stream'))
      end()
      await Promise.all([resumed.text(), first.text()])
    }
  },
  async 'stream it to AG-UI'(journal, answer, length) {
    const { model, end } = modelOf(answer, length)
    const handler = agUiHandler(journal, { model, tools: answer.tools ?? {}, thread: { for: 'openai' } })
    end()
    return async () => (await handler(post({ threadId: 't', runId: 'r', messages: [message] }))).text()
  },
}

const chatTools = ({ tools = {} }: Answer) =>
  Object.fromEntries(
    Object.entries(tools).map(([name, { execute, approval }]) => [
      name,
      {
        inputSchema: { jsonSchema: { type: 'object' } },
        ...(execute && { execute }),
        needsApproval: approval === true,
      },
    ]),
  ) as never

export function* turnTrials(): Generator<Trial> {
  for (const [what, answer] of Object.entries(answers))
    for (const [name, work] of Object.entries(works))
      yield {
        name: `${name}: ${what}`,
        async prepare(length) {
          const journal = await openJournal('memory:')
          return await work(journal, answer, length)
        },
      }
}
