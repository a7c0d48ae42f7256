import { createServer } from 'node:http'
import { Pool } from './undici.ts'

/** The baseline: the same HTTP stack, and nothing looked at. */
const pool = new Pool(process.argv[2])

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const { host: _host, connection: _connection, ...headers } = request.headers
  const method = request.method as 'POST'
  pool
    .stream(
      { path: request.url ?? '/', method, headers, body: request, opaque: response },
      ({ statusCode, headers }) => {
        const { connection: _closed, 'keep-alive': _kept, 'transfer-encoding': _form, ...passed } = headers
        return response.writeHead(statusCode, passed)
      },
    )
    .catch(() => response.destroy())
})

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  process.send?.(`http://127.0.0.1:${port}`)
})
process.on('message', () => process.send?.({ rss: process.memoryUsage().rss, cpu: process.cpuUsage() }))
process.on('disconnect', () => process.exit())
