import { isRecord } from '../../core/conversation.ts'
import { parseVerbatim } from '../../core/json/exact-json.ts'
import type { Endpoint } from './endpoint.ts'
import { HeldText } from './held-text.ts'
import { webStream } from './web-stream.ts'

/** Names of renamed tools: the caller's name by the name that the provider was given. */
export type ToolNames = ReadonlyMap<string, string>

/** Whether tool names can be restored in the answers of an endpoint. Bedrock streams are binary, with checksums. */
export const canRestoreNames = ({ url }: Endpoint): boolean => !/-stream\/?$/.test(url.pathname)

/** Restores the caller's tool names in an answer, chunk by chunk. */
export interface NameRestorer {
  push(piece: Uint8Array): Uint8Array
  end(): Uint8Array
}

/** Undefined for an answer without readable calls. */
export function nameRestorer(names: ToolNames, type: string | null | undefined): NameRestorer | undefined {
  const kind = (type ?? '').toLowerCase()
  if (/json-?seq|jsonl|ndjson|event-stream/.test(kind)) return lineRestorer(names)
  return /[/+]json\b/.test(kind) ? wholeRestorer(names) : undefined
}

/** The response with the caller's tool names; the same response if no tool was renamed. */
export function restoreNames(response: Response, names: ToolNames | undefined): Response {
  const restorer = names && response.ok ? nameRestorer(names, response.headers.get('content-type')) : undefined
  const body = restorer && webStream(response.body)
  if (!body) return response
  const stream = new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, controller) => enqueue(controller, restorer.push(piece)),
    flush: controller => enqueue(controller, restorer.end()),
  })
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  const { status, statusText, url } = response
  const restored = new Response(body.pipeThrough(stream), { status, statusText, headers })
  return Object.defineProperty(restored, 'url', { value: url })
}

function enqueue(controller: TransformStreamDefaultController<Uint8Array>, bytes: Uint8Array): void {
  if (bytes.length > 0) controller.enqueue(bytes)
}

/** Passes on events and lines as soon as they are complete. */
function lineRestorer(names: ToolNames): NameRestorer {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const encoder = new TextEncoder()
  const rest = new HeldText()
  /** Inside a line that is too long to be held. */
  let isOversized = false
  return {
    push(piece) {
      let text = decoder.decode(piece, { stream: true })
      let passed = ''
      if (isOversized) {
        const end = text.indexOf('\n') + 1
        if (end === 0) return encoder.encode(text)
        passed = text.slice(0, end)
        text = text.slice(end)
        isOversized = false
      }
      const end = text.lastIndexOf('\n') + 1
      if (end > 0) {
        passed += restoreLines(rest.take() + text.slice(0, end), names)
      }
      rest.push(text.slice(end))
      if (rest.length > heldMax) {
        passed += rest.take()
        isOversized = true
      }
      return encoder.encode(passed)
    },
    end: () => encoder.encode(isOversized ? decoder.decode() : restoreLines(rest.take() + decoder.decode(), names)),
  }
}

function restoreLines(text: string, names: ToolNames): string {
  if (!mayName(text)) return text
  return text
    .split('\n')
    .map(line => {
      const [, head, data, tail] = /^(data: ?)?(.*?)(\r?)$/s.exec(line) ?? []
      return data === undefined ? line : `${head ?? ''}${restoreJson(data, names)}${tail}`
    })
    .join('\n')
}

function wholeRestorer(names: ToolNames): NameRestorer {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const encoder = new TextEncoder()
  const held = new HeldText()
  let isOversized = false
  return {
    push(piece) {
      held.push(decoder.decode(piece, { stream: true }))
      isOversized ||= held.length > heldMax
      return isOversized ? encoder.encode(held.take()) : nothing
    },
    end: () => encoder.encode(isOversized ? decoder.decode() : restoreJson(held.take() + decoder.decode(), names)),
  }
}

const nothing = new Uint8Array(0)

/** Characters of a line or a JSON answer that are held back at most. What is longer is passed on with the names that the provider was given. */
const heldMax = 64 * 1024 * 1024

const mayName = (text: string): boolean => text.includes('"name"')

/** The same text if it is not JSON or does not contain any of the names. */
function restoreJson(text: string, names: ToolNames): string {
  if (!mayName(text)) return text
  try {
    const value = parseVerbatim(text)
    return restoreIn(value, names) ? JSON.stringify(value) : text
  } catch {
    return text
  }
}

/** Changes the names of tools in place, and returns whether there were any. The arguments of calls are left unchanged. */
function restoreIn(value: unknown, names: ToolNames): boolean {
  let isChanged = false
  const open: { readonly value: unknown; readonly under: string }[] = [{ value, under: '' }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, under } = next
    if (Array.isArray(value)) for (const one of value) open.push({ value: one, under })
    else if (isRecord(value)) {
      const name = typeof value.name === 'string' && isTool(value, under) ? names.get(value.name) : undefined
      if (name !== undefined) {
        value.name = name
        isChanged = true
      }
      for (const key of Object.keys(value))
        if (typeof value[key] === 'object' && !inputs.has(key)) open.push({ value: value[key], under: key })
    }
  }
  return isChanged
}

/** Whether an object is a call or a tool, by its type or by its key: many other things have a name. */
const isTool = ({ type }: Readonly<Record<string, unknown>>, under: string): boolean =>
  toolKeys.test(under) || (typeof type === 'string' && toolTypes.test(type))

const toolKeys = /^(?:function|tool)/i
const toolTypes = /(?:^|[._])(?:function|tool)|^custom/i

/** Fields with the arguments of a call, or the schema of a tool. */
const inputs = new Set(['input', 'args', 'arguments', 'parameters', 'input_schema', 'inputSchema'])
