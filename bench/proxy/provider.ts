import { createServer } from 'node:http'

/** A provider that reads what it is sent, and answers with a completion at once. */
const answer = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'gpt-5',
  choices: [{ index: 0, message: { role: 'assistant', content: 'word '.repeat(100) }, finish_reason: 'stop' }],
})

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer)
  })
  request.resume()
})

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  process.send?.(`http://127.0.0.1:${port}`)
})
process.on('disconnect', () => process.exit())
