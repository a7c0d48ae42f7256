/** Hears the JSON of each event of an address. */
export interface EventStream {
  close(): void
}

interface Listening {
  hear(value: unknown): void
  /** Hears whether it is connected, when that changes. */
  tell?(isThere: boolean): void
}

/**
 * A stream of events that comes back after whatever ended it: the browser itself tries again after a broken connection,
 * but not after a refusal. It is closed while the page is hidden, since a browser gives all pages of one address
 * six connections together.
 */
export function openEventStream(address: string, { hear, tell }: Listening): EventStream {
  let source: EventSource | undefined
  let waiting: ReturnType<typeof setTimeout> | undefined
  let pauseMs = firstPauseMs

  const open = (): void => {
    stop()
    source = new EventSource(address)
    source.onopen = () => {
      pauseMs = firstPauseMs
      tell?.(true)
    }
    source.onmessage = ({ data }) => hear(JSON.parse(data))
    source.onerror = () => {
      tell?.(false)
      if (source?.readyState !== EventSource.CLOSED) return
      waiting = setTimeout(open, pauseMs)
      pauseMs = Math.min(2 * pauseMs, lastPauseMs)
    }
  }
  const stop = (): void => {
    clearTimeout(waiting)
    source?.close()
    source = undefined
  }
  const follow = (): void => {
    if (document.hidden) stop()
    else if (!source) open()
  }
  document.addEventListener('visibilitychange', follow)
  follow()
  return {
    close() {
      document.removeEventListener('visibilitychange', follow)
      stop()
    },
  }
}

const firstPauseMs = 500
const lastPauseMs = 15_000
