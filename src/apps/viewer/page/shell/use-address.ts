import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type Address, readAddress, writeAddress } from './address.ts'

/** The state of the view, kept in the URL. Opening another conversation adds a history entry; other changes replace it. */
export function useAddress(): [Address, (change: Partial<Address>) => void] {
  const [address, setAddress] = useState(() => readAddress(location.hash))
  const last = useRef(address)
  const set = useCallback((next: Address): void => {
    last.current = next
    setAddress(next)
  }, [])
  useEffect(() => {
    const read = (): void => set(readAddress(location.hash))
    addEventListener('popstate', read)
    return () => removeEventListener('popstate', read)
  }, [set])
  const change = useCallback(
    (change: Partial<Address>): void => {
      const next = { ...last.current, ...change }
      const isElsewhere = next.source !== last.current.source || next.item !== last.current.item
      const hash = `#${writeAddress(next)}`
      if (hash !== `#${writeAddress(last.current)}`) history[isElsewhere ? 'pushState' : 'replaceState'](null, '', hash)
      set(next)
    },
    [set],
  )
  return [address, change]
}
