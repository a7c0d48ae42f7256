import { useEffect, useRef, useState } from 'preact/hooks'
import type { ThreadFacts } from '../../protocol.ts'
import type { Transport } from '../transport.ts'

/** The facts of a thread: first those of the document, then the updates of the server. */
export function useThreadFacts(
  transport: Transport,
  source: string,
  item: string,
  first: ThreadFacts,
  onFacts?: (facts: ThreadFacts) => void,
): ThreadFacts {
  const [latest, setLatest] = useState<{ readonly of: string; readonly facts: ThreadFacts }>()
  const onFactsRef = useRef(onFacts)
  onFactsRef.current = onFacts
  const name = JSON.stringify([source, item])
  useEffect(
    () =>
      transport.thread(source, item, facts => {
        setLatest({ of: name, facts })
        onFactsRef.current?.(facts)
      }),
    [transport, source, item, name],
  )
  return latest?.of === name && latest.facts.head >= first.head ? latest.facts : first
}
