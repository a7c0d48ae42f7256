import type { RefObject } from 'preact'
import type { Search } from './use-search.ts'

interface Props {
  readonly search: Search
  readonly field: RefObject<HTMLInputElement | null>
}

/** The search field, the number of matches, and buttons for the previous and the next one. */
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
        {words !== '' && status(finds, at)}
      </span>
      {words !== '' && (
        <>
          <button type="button" class="button quiet" aria-label="Previous match" onClick={() => go(-1)}>
            ↑
          </button>
          <button type="button" class="button quiet" aria-label="Next match" onClick={() => go(1)}>
            ↓
          </button>
        </>
      )}
    </search>
  )
}

function status(finds: readonly number[] | undefined, at: number): string {
  if (!finds) return '…'
  const count = finds.length.toLocaleString('en')
  if (at >= 0) return `${(at + 1).toLocaleString('en')} of ${count}`
  return finds.length === 1 ? '1 message' : `${count} messages`
}
