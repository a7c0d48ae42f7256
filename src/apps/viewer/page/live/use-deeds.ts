import { useState } from 'preact/hooks'
import type { Deed } from '../../protocol.ts'
import type { Transport } from '../transport.ts'

export interface Deeds {
  /** Does it, and says what came of it. False if it was refused. */
  act(deed: Deed): Promise<boolean>
  /** What came of the last one. */
  readonly said: { readonly line: string; readonly isTrouble: boolean } | undefined
  readonly isBusy: boolean
}

/** One deed at a time, so that a double click is one. */
export function useDeeds(transport: Transport, source: string, item: string): Deeds {
  const [said, setSaid] = useState<Deeds['said']>()
  const [isBusy, setBusy] = useState(false)
  const act = async (deed: Deed): Promise<boolean> => {
    if (isBusy) return false
    setBusy(true)
    try {
      const done = await transport.act(source, item, deed)
      setSaid({ line: done.said, isTrouble: false })
      return true
    } catch (error) {
      setSaid({ line: (error as Error).message, isTrouble: true })
      return false
    } finally {
      setBusy(false)
    }
  }
  return { act, said, isBusy }
}
