/**
 * A recording of an agent that breaks its own history: the user presses stop and sends a new message, and then the tool
 * returns its result. The tape shows when it broke, and yields the smallest history with the defect, with its text redacted.
 *
 *   npx node examples/tape.ts
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { healFetch } from 'antiphon/fetch'
import { startStrict } from 'antiphon/strict'
import { openTape } from 'antiphon/tape'
import { antiphon } from './command.ts'

const folder = mkdtempSync(join(tmpdir(), 'antiphon-example-'))
const file = join(folder, 'chat.tape')
const provider = await startStrict()
const tape = openTape(file)
// `allow: []` repairs nothing: the provider gets what the program made.
const client = new Anthropic({ apiKey: 'none', baseURL: provider.url, fetch: healFetch({ tape, allow: [] }) })
const tools = [{ name: 'bash', input_schema: { type: 'object' as const } }]
const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Run the tests.' }]
const ask = () => client.messages.create({ model: 'claude-opus-4-5', max_tokens: 999, tools, messages })

tape.input()
const { content } = await ask()
const call = content.find(part => part.type === 'tool_use')
if (!call) throw new Error('there is no call')
tape.callStart(call)
messages.push({ role: 'assistant', content })

tape.interrupt()
messages.push({ role: 'user', content: 'Stop, the unit tests are enough.' })
await ask().catch(error => console.log('rejected:', error.status))

messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: '3 of 412 failed' }] })
tape.callEnd(call)
await ask().catch(error => console.log('rejected again:', error.status))
await provider.close()

antiphon('tape', 'show', file)
antiphon('shrink', '--redact', file)
antiphon('tape', 'replay', file)
rmSync(folder, { recursive: true })
