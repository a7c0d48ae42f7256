import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { asRecord } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { readRegularFile } from '../../files/regular-file.ts'
import { createFile } from '../create-file.ts'
import {
  callsOf,
  imagesOf,
  type MovedCall,
  type MovedImage,
  type MovedMessage,
  type MovedSession,
  textOf,
} from '../moved-session.ts'
import type { MoveTarget } from '../target.ts'

/** Gemini CLI: a log of messages in the folder of the project, whose name the program keeps in a registry. */
export const geminiCliTarget: MoveTarget = {
  id: 'gemini-cli',
  title: 'Gemini CLI',
  dialect: 'gemini',
  root: ({ home, environment }) => environment.GEMINI_CLI_HOME || home,
  environment: root => ({ GEMINI_CLI_HOME: root }),
  plan(session, root) {
    const { id, cwd, created } = session
    const folder = join(root, '.gemini', 'tmp', projectName(join(root, '.gemini'), cwd))
    const stamp = new Date(created).toISOString().slice(0, 16).replaceAll(':', '-')
    const path = join(folder, 'chats', `session-${stamp}-${id.slice(0, 8)}.jsonl`)
    const marker = join(folder, rootFile)
    return {
      path,
      id,
      resume: [['gemini', '--resume', id]],
      write() {
        const hint = 'nothing is overwritten: try again'
        // The program finds the name of a new project by this file, and enters it in its registry.
        if (!existsSync(marker)) createFile(marker, cwd, hint)
        createFile(path, log(session, Date.now()), hint)
      },
    }
  },
}

const rootFile = '.project_root'

/** The folder of a project: as it is registered, as it is marked, or a new name. */
function projectName(root: string, cwd: string): string {
  const projects = asRecord(asRecord(tryParseJson(tryRead(join(root, 'projects.json')))).projects)
  const known = projects[cwd]
  const tmp = join(root, 'tmp')
  const ownerOf = (name: string): string =>
    [tmp, join(root, 'history')].map(place => tryRead(join(place, name, rootFile)).trim()).find(one => one !== '') ?? ''
  if (typeof known === 'string' && ['', cwd].includes(ownerOf(known))) return known
  const folders = existsSync(tmp) ? readdirSync(tmp) : []
  const marked = folders.find(name => ownerOf(name) === cwd)
  if (marked !== undefined) return marked
  const taken = new Set([...folders, ...Object.values(projects)])
  const name = slugOf(basename(cwd))
  let free = name
  for (let count = 1; taken.has(free) || ownerOf(free) !== ''; count++) free = `${name}-${count}`
  return free
}

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .replace(/-$/, '') || 'project'

function tryRead(file: string): string {
  try {
    return readRegularFile(file).toString()
  } catch {
    return ''
  }
}

/** Sessions that were not used for a month are deleted, so it counts as used now. */
function log({ id, cwd, title, created, messages }: MovedSession, now: number): string {
  const head = {
    sessionId: id,
    projectHash: createHash('sha256').update(cwd).digest('hex'),
    startTime: new Date(created).toISOString(),
    lastUpdated: new Date(now).toISOString(),
    kind: 'main',
    summary: title,
  }
  return [head, ...messages.map(record)].map(line => `${JSON.stringify(line)}\n`).join('')
}

/** A result is written once, with its call: in a message of its own as well, it would be sent twice. */
function record({ role, time, parts }: MovedMessage): object {
  const [text, images] = [textOf(parts), imagesOf(parts).map(inlineData)]
  const written = { id: randomUUID(), timestamp: new Date(time).toISOString() }
  if (role === 'user') return { ...written, type: 'user', content: [{ text: promptText(text) }, ...images] }
  const content = images.length === 0 ? text : [...(text === '' ? [] : [{ text }]), ...images]
  const calls = callsOf(parts)
  const toolCalls = calls.length === 0 ? {} : { toolCalls: calls.map(toolCall) }
  return { ...written, type: 'gemini', content, thoughts: [], ...toolCalls }
}

/** On resume the program ignores messages without text, and those that look like its own commands and context. */
const promptText = (text: string): string =>
  /^\s*([/?]|<session_context>|<hook_context>|$)/.test(text) ? `Prompt: ${text}` : text

const inlineData = ({ mediaType, data }: MovedImage): object => ({ inlineData: { mimeType: mediaType, data } })

function toolCall({ id, name, input, result }: MovedCall): object {
  const { text, images, isError, time } = result
  const response = isError ? { error: text } : { output: text }
  return {
    ...{ id, name, args: input },
    result: [{ functionResponse: { id, name, response } }, ...images.map(inlineData)],
    status: isError ? 'error' : 'success',
    timestamp: new Date(time).toISOString(),
    resultDisplay: text,
    displayName: name,
  }
}
