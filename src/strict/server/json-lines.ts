import { dataText, type Framing } from './framing.ts'

/** One JSON text per line: what Cohere's version 1 streams unless the client requests events. */
export const jsonLines: Framing = {
  contentType: 'application/stream+json',
  frame: (events, brokenAt) => events.map(({ data }, index) => Buffer.from(`${dataText(data, index === brokenAt)}\n`)),
}
