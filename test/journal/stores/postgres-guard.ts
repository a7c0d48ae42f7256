import { rmSync } from 'node:fs'
import { Instance } from './postgres-instance.ts'
import { findPrograms, freePort, initialise, makeFolder, password } from './postgres-programs.ts'

/**
 * A process that has a PostgreSQL server and stops it when its parent asks, or is gone, whatever it died of. The server is
 * as it comes: what it acknowledges is on the disk.
 */
let server: Instance | undefined

for (const event of ['disconnect', 'SIGINT', 'SIGTERM', 'SIGHUP']) process.on(event, end)
const programs = await findPrograms()
const data = makeFolder(programs, 'data')
initialise(programs, data)
const port = await freePort()
server = new Instance(programs, data, port)
await server.start()
process.send?.({ port, user: 'postgres', password })
process.on('message', async message => {
  await server?.stop(message === 'crash' ? 'SIGQUIT' : 'SIGINT')
  await server?.start()
  process.send?.('ready')
})

async function end(): Promise<void> {
  await server?.stop('SIGINT')
  rmSync(programs.folder, { recursive: true, force: true })
  process.exit()
}
