import { dataText, type Framing } from './framing.ts'

/** Server-sent events. */
export const sse: Framing = {
  contentType: 'text/event-stream; charset=utf-8',
  frame: (events, brokenAt) =>
    events.map(({ event, data }, index) => {
      const name = event === undefined ? '' : `event: ${event}\n`
      return Buffer.from(`${name}data: ${dataText(data, index === brokenAt)}\n\n`)
    }),
}
