import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { healFetch } from 'antiphon/fetch'

const event = text => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`
const server = createServer(async (request, response) => {
  request.resume()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const text of ['It', ' is', ' sunny.']) {
    response.write(event(text))
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  response.end('data: [DONE]\n\n')
})
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address()
const body = JSON.stringify({ model: 'gpt-5.5', messages: [{ role: 'user', content: 'Hi' }] })
const ask = () => healFetch()(`http://127.0.0.1:${port}/v1/chat/completions`, { method: 'POST', body })
assert.match(await (await ask()).text(), /It.* is.* sunny\..*\[DONE\]/s)
const reader = (await ask()).body.getReader()
await reader.read()
await reader.cancel()
server.close()
server.closeAllConnections?.()
// Nothing of an answer that was read or cancelled keeps the process alive.
setTimeout(() => assert.fail(`still open: ${process.getActiveResourcesInfo?.()}`), 5000).unref()
