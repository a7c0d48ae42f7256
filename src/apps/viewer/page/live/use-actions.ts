import { useState } from 'preact/hooks'
import type { ThreadAction } from '../../protocol.ts'
import type { Transport } from '../transport.ts'

export interface ThreadActions {
  /** Sends an action and shows its outcome. False if it was refused. */
  act(action: ThreadAction): Promise<boolean>
  /** The outcome of the last action. */
  readonly status: { readonly line: string; readonly isError: boolean } | undefined
  readonly isBusy: boolean
}

/** One action at a time, so that a double click sends one. */
export function useActions(transport: Transport, source: string, item: string): ThreadActions {
  const [status, setStatus] = useState<ThreadActions['status']>()
  const [isBusy, setBusy] = useState(false)
  const act = async (action: ThreadAction): Promise<boolean> => {
    if (isBusy) return false
    setBusy(true)
    try {
      const done = await transport.act(source, item, action)
      setStatus({ line: done.message, isError: false })
      return true
    } catch (error) {
      setStatus({ line: (error as Error).message, isError: true })
      return false
    } finally {
      setBusy(false)
    }
  }
  return { act, status, isBusy }
}
