import { isRecord } from '../../core/conversation.ts'
import { parseVerbatim } from '../../core/json/exact-json.ts'
import type { Endpoint } from './endpoint.ts'

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
  if (!restorer || !response.body) return response
  const stream = new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, controller) => enqueue(controller, restorer.push(piece)),
    flush: controller => enqueue(controller, restorer.end()),
  })
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  const { status, statusText, url } = response
  const restored = new Response(response.body.pipeThrough(stream), { status, statusText, headers })
  return Object.defineProperty(restored, 'url', { value: url })
}

function enqueue(controller: TransformStreamDefaultController<Uint8Array>, bytes: Uint8Array): void {
  if (bytes.length > 0) controller.enqueue(bytes)
}

/** Events and lines are passed on as soon as they are complete. */
function lineRestorer(names: ToolNames): NameRestorer {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const encoder = new TextEncoder()
  let rest = ''
  return {
    push(piece) {
      const text = decoder.decode(piece, { stream: true })
      const end = text.lastIndexOf('\n') + 1
      if (end === 0) {
        rest += text
        return nothing
      }
      const lines = rest + text.slice(0, end)
      rest = text.slice(end)
      return encoder.encode(restoreLines(lines, names))
    },
    end: () => encoder.encode(restoreLines(rest + decoder.decode(), names)),
  }
}

function restoreLines(text: string, names: ToolNames): string {
  if (!mentions(text, names)) return text
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
  const texts: string[] = []
  return {
    push(piece) {
      texts.push(decoder.decode(piece, { stream: true }))
      return nothing
    },
    end: () => new TextEncoder().encode(restoreJson(texts.join('') + decoder.decode(), names)),
  }
}

const nothing = new Uint8Array(0)

const mentions = (text: string, names: ToolNames): boolean => [...names.keys()].some(name => text.includes(name))

/** The same text if it is not JSON or does not contain any of the names. */
function restoreJson(text: string, names: ToolNames): string {
  if (!mentions(text, names)) return text
  try {
    const value = parseVerbatim(text)
    return restoreIn(value, names) ? JSON.stringify(value) : text
  } catch {
    return text
  }
}

/** Changes the names in place, and returns whether there were any. The arguments of calls are left unchanged. */
function restoreIn(value: unknown, names: ToolNames): boolean {
  let isChanged = false
  const stack: unknown[] = [value]
  while (stack.length > 0) {
    const next = stack.pop()
    if (Array.isArray(next)) for (const one of next) stack.push(one)
    else if (isRecord(next)) {
      for (const key of Object.keys(next)) {
        const inner = next[key]
        const name = key === 'name' && typeof inner === 'string' ? names.get(inner) : undefined
        if (name !== undefined) {
          next[key] = name
          isChanged = true
        } else if (typeof inner === 'object' && !inputs.has(key)) stack.push(inner)
      }
    }
  }
  return isChanged
}

/** Fields with the arguments of a call, or the schema of a tool. */
const inputs = new Set(['input', 'args', 'arguments', 'parameters', 'input_schema', 'inputSchema'])
