import { useEffect, useRef, useState } from 'preact/hooks'
import type { ThreadFacts } from '../../protocol.ts'
import type { Transport } from '../transport.ts'

/** What goes on in a thread: what the document said, and then whatever the server tells. */
export function useFacts(
  transport: Transport,
  source: string,
  item: string,
  first: ThreadFacts,
  onFacts?: (facts: ThreadFacts) => void,
): ThreadFacts {
  const [told, setTold] = useState<{ readonly of: string; readonly facts: ThreadFacts }>()
  const tell = useRef(onFacts)
  tell.current = onFacts
  const name = JSON.stringify([source, item])
  useEffect(
    () =>
      transport.thread(source, item, facts => {
        setTold({ of: name, facts })
        tell.current?.(facts)
      }),
    [transport, source, item, name],
  )
  return told?.of === name && told.facts.head >= first.head ? told.facts : first
}
