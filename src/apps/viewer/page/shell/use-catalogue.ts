import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Item, Notice, Source } from '../../protocol.ts'
import type { Transport } from '../transport.ts'
import type { Known } from './first-item.ts'

/** What there is to open. Notices come by the thousand: they are taken in together, a few times a second. */
export function useCatalogue(transport: Transport): [Known, (notice: Notice) => void] {
  const sources = useRef(new Map<string, Source>()).current
  const items = useRef(new Map<string, Item>()).current
  const listed = useRef(new Set<string>()).current
  const timer = useRef<number | undefined>(undefined)
  const [known, setKnown] = useState<Known>({ sources: [], items: [], listed: new Set() })
  const hear = useCallback(
    (notice: Notice): void => {
      if (notice.kind === 'source') sources.set(notice.source.id, notice.source)
      else if (notice.kind === 'item') items.set(`${notice.item.source}/${notice.item.id}`, notice.item)
      else listed.add(notice.source)
      timer.current ??= window.setTimeout(() => {
        timer.current = undefined
        setKnown({ sources: [...sources.values()], items: [...items.values()], listed: new Set(listed) })
      }, 60)
    },
    [sources, items, listed],
  )
  useEffect(() => transport.notices(hear), [transport, hear])
  return [known, hear]
}
