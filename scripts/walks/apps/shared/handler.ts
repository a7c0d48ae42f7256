import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createOpenAI } from '@ai-sdk/openai'
import { jsonSchema, streamText, tool, wrapLanguageModel } from 'ai'
import { chatHandler, healMiddleware } from 'antiphon/adapters/ai-sdk'
import { openJournal } from 'antiphon/journal'

const openai = createOpenAI({ baseURL: process.env.MODEL_URL ?? '', apiKey: 'any' })
const model = wrapLanguageModel({ model: openai.chat('gpt-5.5'), middleware: healMiddleware() })

/** What tools did, where no journal can forget it. */
const note = (line: string): void => appendFileSync(process.env.EFFECTS ?? '', `${line}\n`)

export const journal = await openJournal(`sqlite:${process.env.CHATS}`)

export const handle = chatHandler(journal, {
  model: ({ messages, tools, signal }) => streamText({ model, messages, tools, abortSignal: signal, maxRetries: 0 }),
  tools: {
    search: {
      ...tool({
        description: 'Finds a flight.',
        inputSchema: jsonSchema<{ to: string }>({ type: 'object', properties: { to: { type: 'string' } } }),
        async execute({ to }, { toolCallId }) {
          note(`search ${toolCallId}`)
          await sleep(3_000)
          return `TP 1351 to ${to}`
        },
      }),
      replay: 'safe',
    },
    pay: tool({
      description: 'Pays for a flight.',
      inputSchema: jsonSchema<{ eur: number }>({ type: 'object', properties: { eur: { type: 'number' } } }),
      async execute({ eur }, { toolCallId }) {
        note(`pay ${toolCallId}`)
        await sleep(2_000)
        return `paid ${eur} EUR`
      },
      needsApproval: true,
    }),
  },
  // Short, so that a server that is started again need not wait long for the turns of the one that was killed.
  thread: { leaseMs: 3_000 },
})
