import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { CatalogueItem, Notice, SourceInfo } from '../../protocol.ts'
import type { Transport } from '../transport.ts'
import type { KnownItems } from './first-item.ts'

/** The sources and items to choose from. There can be thousands of notices, so they are applied in batches. */
export function useCatalogue(transport: Transport): [KnownItems, (notice: Notice) => void] {
  const sources = useRef(new Map<string, SourceInfo>()).current
  const items = useRef(new Map<string, CatalogueItem>()).current
  const listed = useRef(new Set<string>()).current
  const timer = useRef<number | undefined>(undefined)
  const [known, setKnown] = useState<KnownItems>({ sources: [], items: [], listed: new Set(), isEmpty: false })
  const addNotice = useCallback(
    (notice: Notice): void => {
      if (notice.kind === 'opened') {
        if (notice.sources === 0) setKnown(known => ({ ...known, isEmpty: true }))
        return
      }
      if (notice.kind === 'source') sources.set(notice.source.id, notice.source)
      else if (notice.kind === 'item') items.set(`${notice.item.source}/${notice.item.id}`, notice.item)
      else listed.add(notice.source)
      timer.current ??= window.setTimeout(() => {
        timer.current = undefined
        const now = { sources: [...sources.values()], items: [...items.values()], listed: new Set(listed) }
        setKnown(known => ({ ...known, ...now }))
      }, 60)
    },
    [sources, items, listed],
  )
  useEffect(() => transport.notices(addNotice), [transport, addNotice])
  return [known, addNotice]
}
