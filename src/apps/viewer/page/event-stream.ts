/** A stream of server-sent events. */
export interface EventSubscription {
  close(): void
}

interface Listening {
  onEvent(value: unknown): void
  /** Called with whether it is connected, when that changes. */
  onConnection?(isThere: boolean): void
}

/**
 * Opens a stream of server-sent events that reconnects: the browser itself does so after a broken connection, but not after an error
 * status. The stream is closed while the page is hidden, since a browser allows six connections per host for all its pages.
 */
export function openEventStream(address: string, { onEvent, onConnection }: Listening): EventSubscription {
  let source: EventSource | undefined
  let waiting: ReturnType<typeof setTimeout> | undefined
  let pauseMs = firstPauseMs

  const open = (): void => {
    stop()
    source = new EventSource(address)
    source.onopen = () => {
      pauseMs = firstPauseMs
      onConnection?.(true)
    }
    source.onmessage = ({ data }) => onEvent(JSON.parse(data))
    source.onerror = () => {
      onConnection?.(false)
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
