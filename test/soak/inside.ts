import { readdirSync } from 'node:fs'
import type { Setting } from './settings.ts'

/** What a process holds, after everything that can be collected was. */
export interface Holdings {
  readonly rssBytes: number
  readonly heapBytes: number
  /** What is not on the heap. */
  readonly bufferBytes: number
  readonly sockets: number
  readonly timers: number
  /** Open files of all kinds, sockets included; where the system tells. */
  readonly files: number
}

/** What a process tells its parent. */
export type Told =
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'held'; readonly holdings: Holdings; readonly counts: Readonly<Record<string, number>> }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'transfer' }

export type Command = 'hold' | 'calm' | 'stop'

export const settingOf = (): Setting => JSON.parse(process.argv[2])

/** A process of the soak, as it is inside: it counts, complains, says what it holds, and ends of itself when it is told to stop. */
export function attend({ calm = () => {}, stop }: { calm?(): void; stop(): Promise<unknown> }) {
  const counts: Record<string, number> = {}
  const tell = (told: Told): void => {
    if (process.connected) process.send?.(told)
  }
  const deeds: Record<Command, () => unknown> = {
    hold: () => tell({ kind: 'held', holdings: held(), counts }),
    calm,
    // Nothing ends it but that nothing is open any more.
    stop: async () => {
      await stop()
      tell({ kind: 'held', holdings: held(), counts })
      process.disconnect()
    },
  }
  let isStopping = false
  process.on('message', (command: Command) => {
    isStopping ||= command === 'stop'
    void deeds[command]()
  })
  // Whose parent is gone has nobody to end it.
  process.once('disconnect', () => {
    if (!isStopping) process.exit(1)
  })
  return {
    count(what: string): void {
      counts[what] = (counts[what] ?? 0) + 1
    },
    reportError: (text: string): void => tell({ kind: 'error', text }),
    ready: (url = ''): void => tell({ kind: 'ready', url }),
  }
}

function held(): Holdings {
  for (let time = 0; time < 3; time++) globalThis.gc?.()
  const resources = process.getActiveResourcesInfo()
  const count = (name: string): number => resources.filter(resource => resource === name).length
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage()
  return {
    ...{ rssBytes: rss, heapBytes: heapUsed, bufferBytes: arrayBuffers },
    ...{ sockets: count('TCPSocketWrap'), timers: count('Timeout'), files: openFiles() },
  }
}

function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 0
  }
}
