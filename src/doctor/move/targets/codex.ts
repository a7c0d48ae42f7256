import { join } from 'node:path'
import { createFile } from '../create-file.ts'
import { timeUuid } from '../ids.ts'
import { callsOf, imagesOf, type MovedMessage, type MovedSession, textOf } from '../moved-session.ts'
import type { MoveTarget } from '../target.ts'

/** Codex: a rollout in the form that all of its versions read, whose records have no numbers. */
export const codexTarget: MoveTarget = {
  id: 'codex',
  title: 'Codex',
  dialect: 'openai-responses',
  root: ({ home, environment }) => environment.CODEX_HOME || join(home, '.codex'),
  environment: root => ({ CODEX_HOME: root }),
  plan(session, root) {
    const id = timeUuid(session.created)
    const stamp = localStamp(new Date(session.created))
    const [year = '', month = '', day = ''] = stamp.slice(0, 10).split('-')
    const path = join(root, 'sessions', year, month, day, `rollout-${stamp}-${id}.jsonl`)
    return {
      path,
      id,
      resume: [['codex', 'resume', id]],
      write: () => createFile(path, rollout(session, id), 'nothing is overwritten: try again'),
    }
  },
}

/** Folders and names are in local time. */
function localStamp(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day}T${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join('-')}`
}

function rollout({ cwd, created, messages }: MovedSession, id: string): string {
  const lines: string[] = []
  const add = (time: number, type: string, payload: object): void => {
    lines.push(JSON.stringify({ timestamp: new Date(time).toISOString(), type, payload }))
  }
  const meta = { session_id: id, id, timestamp: new Date(created).toISOString(), cwd }
  add(created, 'session_meta', { ...meta, originator: 'codex_cli_rs', cli_version: '0.0.0', source: 'cli' })
  let turn: string | undefined
  let last = created
  const end = (): void => {
    if (turn !== undefined) add(last, 'event_msg', { type: 'task_complete', turn_id: turn, last_agent_message: null })
    turn = undefined
  }
  for (const message of messages) {
    if (message.role === 'user') end()
    if (turn === undefined) {
      turn = timeUuid(message.time)
      add(message.time, 'event_msg', { type: 'task_started', turn_id: turn, model_context_window: null })
    }
    for (const [time, type, payload] of records(message)) {
      add(time, type, payload)
      last = time
    }
  }
  end()
  return lines.map(line => `${line}\n`).join('')
}

type RolloutRecord = readonly [number, 'response_item' | 'event_msg', object]

/** What Codex sends, and what it shows. */
function records({ role, time, parts }: MovedMessage): RolloutRecord[] {
  const [text, calls, images] = [textOf(parts), callsOf(parts), imagesOf(parts)]
  const found: RolloutRecord[] = []
  if (text !== '' || images.length > 0) {
    const content = [...(text === '' ? [] : [{ type: role === 'user' ? 'input_text' : 'output_text', text }])]
    const urls = images.map(({ mediaType, data }) => `data:${mediaType};base64,${data}`)
    const shown =
      role === 'user' ? { type: 'user_message', message: text, images: urls } : { type: 'agent_message', message: text }
    const items = [...content, ...urls.map(url => ({ type: 'input_image', image_url: url }))]
    found.push([time, 'response_item', { type: 'message', role, content: items }], [time, 'event_msg', shown])
  }
  for (const { id, name, input } of calls)
    found.push([time, 'response_item', { type: 'function_call', name, arguments: JSON.stringify(input), call_id: id }])
  for (const { id, result } of calls) {
    const pictures = result.images.map(({ mediaType, data }) => ({
      type: 'input_image',
      image_url: `data:${mediaType};base64,${data}`,
    }))
    const output =
      pictures.length === 0
        ? result.text
        : [...(result.text === '' ? [] : [{ type: 'input_text', text: result.text }]), ...pictures]
    found.push([result.time, 'response_item', { type: 'function_call_output', call_id: id, output }])
  }
  return found
}
