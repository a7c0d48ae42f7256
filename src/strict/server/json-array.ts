import { dataText, type Framing } from './framing.ts'

/** One JSON array that grows while it is sent: what Gemini streams without `alt=sse`. */
export const jsonArray: Framing = {
  contentType: 'application/json; charset=UTF-8',
  frame: (events, brokenAt) =>
    events.map(({ data }, index) => {
      const [before, after] = [index === 0 ? '[' : ',\r\n', index === events.length - 1 ? '\n]\n' : '\n']
      return Buffer.from(before + dataText(data, index === brokenAt) + after)
    }),
  failure: body => [body],
}
