import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createFile } from '../create-file.ts'
import { randomLetters } from '../ids.ts'
import type { MovedCall, MovedImage, MovedMessage, MovedPart, MovedSession } from '../moved-session.ts'
import type { MoveTarget } from '../target.ts'

/** Claude Code: a chain of records, with each block of a response on a line of its own. */
export const claudeCodeTarget: MoveTarget = {
  id: 'claude-code',
  title: 'Claude Code',
  dialect: 'anthropic',
  root: ({ home, environment }) => environment.CLAUDE_CONFIG_DIR || join(home, '.claude'),
  environment: root => ({ CLAUDE_CONFIG_DIR: root }),
  plan(session, root) {
    const { id, cwd } = session
    const path = join(root, 'projects', folderName(cwd), `${id}.jsonl`)
    return {
      path,
      id,
      resume: [['claude', '--resume', id]],
      write: () => createFile(path, new Transcript(session).text(), 'nothing is overwritten: try again'),
    }
  },
}

/** The folder of a working directory, as the program names it. */
export function folderName(cwd: string): string {
  const name = cwd.normalize('NFC').replaceAll(/[^a-zA-Z0-9]/g, '-')
  if (name.length <= nameMax) return name
  let hash = 0
  for (let at = 0; at < cwd.length; at++) hash = ((hash << 5) - hash + cwd.charCodeAt(at)) | 0
  return `${name.slice(0, nameMax)}-${Math.abs(hash).toString(36)}`
}

const nameMax = 200

class Transcript {
  readonly #lines: string[] = []
  readonly #session: MovedSession
  #parent: string | null = null

  constructor(session: MovedSession) {
    this.#session = session
    for (const message of session.messages) this.#add(message)
  }

  text(): string {
    const { id, title } = this.#session
    const named = { type: 'custom-title', customTitle: title, sessionId: id }
    return [...this.#lines, JSON.stringify(named)].map(line => `${line}\n`).join('')
  }

  #add({ role, time, parts }: MovedMessage): void {
    if (role === 'user') {
      const [only] = parts
      const isText = parts.length === 1 && only?.kind === 'text'
      this.#record('user', time, { role, content: isText ? only.text : parts.map(blockOf) })
      return
    }
    const id = `msg_${randomLetters(24)}`
    const stop = parts.some(({ kind }) => kind === 'call') ? 'tool_use' : 'end_turn'
    const named = { id, type: 'message', role, model: '<synthetic>' }
    const end = { stop_reason: stop, stop_sequence: null, usage: { input_tokens: 0, output_tokens: 0 } }
    const owners = new Map<MovedPart, string>()
    for (const part of parts)
      owners.set(part, this.#record('assistant', time, { ...named, content: [blockOf(part)], ...end }))
    for (const part of parts) if (part.kind === 'call') this.#result(part, owners.get(part))
  }

  #result({ id, name, result: { time, text, images, isError } }: MovedCall, owner: string | undefined): void {
    const blocks = [...(text === '' ? [] : [{ type: 'text', text }]), ...images.map(imageBlock)]
    const content = images.length === 0 ? text : blocks
    const block = { tool_use_id: id, type: 'tool_result', content, ...(isError ? { is_error: true } : {}) }
    const shown = isError ? `Error: ${text}` : { stdout: text, stderr: '', interrupted: false, isImage: false }
    const more = { ...(name === 'Bash' ? { toolUseResult: shown } : {}), sourceToolAssistantUUID: owner }
    this.#record('user', time, { role: 'user', content: [block] }, more)
  }

  #record(type: 'user' | 'assistant', time: number, message: object, more: object = {}): string {
    const { id: sessionId, cwd } = this.#session
    const uuid = randomUUID()
    const links = { parentUuid: this.#parent, isSidechain: false, userType: 'external', cwd, sessionId }
    const written = { version: '2.0.0', gitBranch: '', type, message, uuid, timestamp: new Date(time).toISOString() }
    this.#lines.push(JSON.stringify({ ...links, ...written, ...more }))
    this.#parent = uuid
    return uuid
  }
}

function blockOf(part: MovedPart): object {
  if (part.kind === 'text') return { type: 'text', text: part.text }
  if (part.kind === 'image') return imageBlock(part)
  return { type: 'tool_use', id: part.id, name: part.name, input: part.input }
}

const imageBlock = ({ mediaType, data }: MovedImage): object => ({
  type: 'image',
  source: { type: 'base64', media_type: mediaType, data },
})
