import { startProxy } from '../../../src/integrations/proxy/index.ts'

/** A proxy in a process of its own, that says on demand what it holds. */
export interface Holdings {
  readonly sockets: number
  readonly timers: number
  /** In use after everything that can be collected was. */
  readonly heapBytes: number
  /** The same of what is not on the heap. */
  readonly bufferBytes: number
}

const proxy = await startProxy({ to: process.argv[2], port: 0, onRepair: () => {}, onProxyError: () => {} })

process.on('message', () => {
  for (let time = 0; time < 3; time++) globalThis.gc?.()
  const resources = process.getActiveResourcesInfo()
  const count = (name: string): number => resources.filter(resource => resource === name).length
  const holdings: Holdings = {
    sockets: count('TCPSocketWrap'),
    timers: count('Timeout'),
    heapBytes: process.memoryUsage().heapUsed,
    bufferBytes: process.memoryUsage().arrayBuffers,
  }
  process.send?.(holdings)
})
process.on('disconnect', () => process.exit())
process.send?.(proxy.url)
