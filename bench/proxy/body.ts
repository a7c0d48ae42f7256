/** A healthy request of about so many bytes, in messages of 1 KiB on average, as an agent sends it. */
export function healthyBody(bytes: number): Buffer {
  const messages: object[] = [{ role: 'system', content: 'You are a travel agent. '.repeat(8) }]
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
