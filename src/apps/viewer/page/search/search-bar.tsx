import type { RefObject } from 'preact'
import type { Search } from './use-search.ts'

interface Props {
  readonly search: Search
  readonly field: RefObject<HTMLInputElement | null>
}

/** The field for what is looked for, how often it is there, and the way from one find to the next. */
export function SearchBar({ search: { words, setWords, finds, at, go }, field }: Props) {
  return (
    <search class="search">
      <input
        ref={field}
        type="search"
        aria-label="Search"
        placeholder="Search  /"
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') go(event.shiftKey ? -1 : 1)
          else if (event.key === 'Escape' && words === '') event.currentTarget.blur()
          else if (event.key === 'Escape') setWords('')
          else return
          event.preventDefault()
        }}
      />
      <span class="search-count" role="status">
        {words !== '' && said(finds, at)}
      </span>
      {words !== '' && (
        <>
          <button type="button" class="button quiet" aria-label="Previous find" onClick={() => go(-1)}>
            ↑
          </button>
          <button type="button" class="button quiet" aria-label="Next find" onClick={() => go(1)}>
            ↓
          </button>
        </>
      )}
    </search>
  )
}

function said(finds: readonly number[] | undefined, at: number): string {
  if (!finds) return '…'
  const count = finds.length.toLocaleString('en')
  if (at >= 0) return `${(at + 1).toLocaleString('en')} of ${count}`
  return finds.length === 1 ? '1 message' : `${count} messages`
}
