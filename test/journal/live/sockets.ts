import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { Server, Socket } from 'node:net'

/** The servers and accepted connections that this process opens from now on. */
export function openSockets() {
  const servers = new Set<Server>()
  const sockets = new Set<Socket>()
  const listening = tracingChannel('net.server.listen')
  const onListen = {
    start() {},
    end() {},
    error() {},
    asyncStart: (message: unknown) => void servers.add((message as { server: Server }).server),
    asyncEnd() {},
  }
  const onSocket = (message: unknown): void => {
    const { socket } = message as { socket: Socket }
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  }
  listening.subscribe(onListen)
  subscribe('net.server.socket', onSocket)
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    cut,
    async closeAll() {
      for (const server of servers) {
        servers.delete(server)
        if (!server.listening) continue
        const closed = once(server, 'close')
        server.close()
        cut()
        await closed
      }
    },
    stop() {
      listening.unsubscribe(onListen)
      unsubscribe('net.server.socket', onSocket)
    },
  }
}
