import type { startProxy as start } from '../../src/integrations/proxy/index.ts'

/** The proxy as it is shipped: the built package. */
const { startProxy } = (await import(new URL('../../dist/proxy.js', import.meta.url).href)) as {
  startProxy: typeof start
}
const proxy = await startProxy({ to: process.argv[2], port: 0 })
process.on('message', () => process.send?.({ rss: process.memoryUsage().rss, cpu: process.cpuUsage() }))
process.on('disconnect', () => process.exit())
process.send?.(proxy.url)
