import { useEffect, useState } from 'preact/hooks'
import type { Transport } from '../transport.ts'

/** Whether the server is reachable. */
export function useConnection(transport: Transport): boolean {
  const [isThere, setThere] = useState(true)
  useEffect(() => transport.connection?.(setThere), [transport])
  return isThere
}
