/** Healthy requests of about so many bytes, in messages of 1 KiB on average, as an agent sends them. */
export interface Requests {
  readonly bytes: number
  next(): Buffer
}

/** `first`: each request is the first one of its conversation. `later`: each is the one before with a turn more, up to a quarter more; then the next conversation begins. */
export function healthyRequests(bytes: number, kind: 'first' | 'later'): Requests {
  let count = 0
  if (kind === 'first') {
    const body = healthyBody(bytes)
    return {
      bytes: body.length,
      next() {
        const copy = Buffer.from(body)
        copy.write(String(count++).padStart(8, '0'), body.indexOf(nameless))
        return copy
      },
    }
  }
  const body = healthyBody(bytes * 1.1)
  const turns = cutsOf(body).filter(cut => cut > bytes * 0.9)
  return {
    bytes,
    next() {
      const end = turns[count++ % turns.length]
      return Buffer.concat([body.subarray(0, end), Buffer.from(']}')])
    },
  }
}

/** Where turns end in a body. */
function cutsOf(body: Buffer): number[] {
  const cuts: number[] = []
  for (let at = body.indexOf(opening, 1000); at > 0; at = body.indexOf(opening, at + 1)) cuts.push(at)
  return cuts
}

const opening = ',{"role":"user"'

/** Eight digits in the first message. */
const nameless = '00000000'

function healthyBody(bytes: number): Buffer {
  const messages: object[] = [
    { role: 'system', content: `Conversation ${nameless}. ${'You are a travel agent. '.repeat(8)}` },
  ]
  let length = 300
  if (bytes < 4096) messages.push({ role: 'user', content: said(0, bytes - 400) })
  else
    for (let turn = 0; length < bytes; turn++) {
      const more = turnOf(turn)
      messages.push(...more)
      length += JSON.stringify(more).length
    }
  return Buffer.from(JSON.stringify({ model: 'gpt-5', stream: false, messages }))
}

function turnOf(turn: number): object[] {
  const id = `call_${String(turn).padStart(8, '0')}`
  const call = {
    id,
    type: 'function',
    function: { name: 'search_flights', arguments: JSON.stringify({ to: 'LIS', turn }) },
  }
  return [
    { role: 'user', content: said(turn, 200) },
    { role: 'assistant', content: null, tool_calls: [call] },
    {
      role: 'tool',
      tool_call_id: id,
      content: JSON.stringify({
        flights: Array(12).fill({ code: 'TP 1351', price: 89, seats: 'few left' }),
        note: said(turn, 1600),
      }),
    },
    { role: 'assistant', content: said(turn, 1000) },
  ]
}

const said = (turn: number, length: number): string =>
  `Turn ${turn}: ${'words that somebody said, "quoted" at times,\n'.repeat(40)}`.slice(0, length)
