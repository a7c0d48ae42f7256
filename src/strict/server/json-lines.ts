import { dataText, type Framing } from './framing.ts'

/** One JSON text per line. */
const linesAs = (contentType: string): Framing => ({
  contentType,
  frame: (events, brokenAt) => events.map(({ data }, index) => Buffer.from(`${dataText(data, index === brokenAt)}\n`)),
})

/** What Cohere's version 1 streams unless the client requests events. */
export const jsonLines: Framing = linesAs('application/stream+json')

/** What Ollama streams unless the client requests one answer. */
export const ndjson: Framing = linesAs('application/x-ndjson')
