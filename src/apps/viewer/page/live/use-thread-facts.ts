import { useEffect, useRef, useState } from 'preact/hooks'
import type { ThreadFacts, ThreadWords } from '../../protocol.ts'
import type { Transport } from '../transport.ts'

/** The facts of a thread, first those of the document, then the updates of the server; and the words that are not in the document yet. */
export function useThreadFacts(
  transport: Transport,
  source: string,
  item: string,
  first: ThreadFacts,
  onFacts?: (facts: ThreadFacts) => void,
): { readonly facts: ThreadFacts; readonly words: string } {
  const [latest, setLatest] = useState<{ readonly of: string; readonly facts: ThreadFacts }>()
  const [streaming, setStreaming] = useState<ThreadWords & { readonly of: string }>()
  const onFactsRef = useRef(onFacts)
  onFactsRef.current = onFacts
  const name = JSON.stringify([source, item])
  useEffect(
    () =>
      transport.thread(source, item, event => {
        if ('words' in event) return setStreaming({ of: name, ...event })
        const facts = event
        setLatest({ of: name, facts })
        onFactsRef.current?.(facts)
      }),
    [transport, source, item, name],
  )
  const isNew = streaming?.of === name && (streaming.recordedAt ?? Infinity) > first.head
  return {
    facts: latest?.of === name && latest.facts.head >= first.head ? latest.facts : first,
    words: isNew ? streaming.words : '',
  }
}
