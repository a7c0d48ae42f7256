import { join } from 'node:path'
import { createFile } from '../create-file.ts'
import { randomHex, timeUuid } from '../ids.ts'
import type { MovedImage, MovedMessage, MovedPart, MovedSession } from '../moved-session.ts'
import type { MoveTarget } from '../target.ts'

/** pi: a header and a chain of entries. */
export const piTarget: MoveTarget = {
  id: 'pi',
  title: 'pi',
  dialect: 'anthropic',
  root: ({ home, environment }) => environment.PI_CODING_AGENT_DIR || join(home, '.pi', 'agent'),
  // The command names the file.
  environment: () => ({}),
  plan(session, root) {
    const id = timeUuid(session.created)
    const folder = `--${session.cwd.replace(/^[/\\]/, '').replaceAll(/[/\\:]/g, '-')}--`
    const stamp = new Date(session.created).toISOString().replaceAll(/[:.]/g, '-')
    const path = join(root, 'sessions', folder, `${stamp}_${id}.jsonl`)
    return {
      path,
      id,
      resume: [['pi', '--session', path]],
      write: () => createFile(path, entries(session, id), 'nothing is overwritten: try again'),
    }
  },
}

function entries({ cwd, created, title, messages }: MovedSession, session: string): string {
  const header = { type: 'session', version: 3, id: session, timestamp: new Date(created).toISOString(), cwd }
  const lines = [JSON.stringify(header)]
  const ids = new Set<string>()
  let parentId: string | null = null
  const add = (type: string, time: number, content: object): void => {
    let id = randomHex(8)
    while (ids.has(id)) id = randomHex(8)
    ids.add(id)
    lines.push(JSON.stringify({ type, id, parentId, timestamp: new Date(time).toISOString(), ...content }))
    parentId = id
  }
  add('session_info', created, { name: title })
  for (const message of messages)
    for (const [time, content] of piMessages(message))
      add('message', time, { message: { ...content, timestamp: time } })
  return lines.map(line => `${line}\n`).join('')
}

function piMessages({ role, time, parts }: MovedMessage): [number, object][] {
  const content = parts.map(blockOf)
  if (role === 'user') return [[time, { role, content }]]
  const calls = parts.filter(part => part.kind === 'call')
  // It is a model that pi does not have, so that pi takes its own.
  const origin = { api: 'anthropic-messages', provider: 'antiphon', model: 'moved' }
  const stopReason = calls.length > 0 ? 'toolUse' : 'stop'
  const results = calls.map(({ id, name, result }): [number, object] => {
    const blocks = [
      ...(result.text === '' && result.images.length > 0 ? [] : [textBlock(result.text)]),
      ...result.images.map(imageBlock),
    ]
    return [
      result.time,
      { role: 'toolResult', toolCallId: id, toolName: name, content: blocks, isError: result.isError },
    ]
  })
  return [[time, { role, content, ...origin, usage, stopReason }], ...results]
}

const usage = {
  ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
}

function blockOf(part: MovedPart): object {
  if (part.kind === 'text') return textBlock(part.text)
  if (part.kind === 'image') return imageBlock(part)
  return { type: 'toolCall', id: part.id, name: part.name, arguments: part.input }
}

const textBlock = (text: string): object => ({ type: 'text', text })

const imageBlock = ({ mediaType, data }: MovedImage): object => ({ type: 'image', data, mimeType: mediaType })
