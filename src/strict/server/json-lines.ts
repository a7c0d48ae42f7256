import { dataText, type Framing } from './framing.ts'

/** One JSON text a line: what Cohere's first API streams to those who do not ask for events. */
export const jsonLines: Framing = {
  contentType: 'application/stream+json',
  frame: (events, brokenAt) => events.map(({ data }, index) => Buffer.from(`${dataText(data, index === brokenAt)}\n`)),
}
