import { useState } from 'preact/hooks'
import { MarkedWords } from '../search/marked-words.tsx'
import { bites } from './bites.ts'

/** How many characters are shown at first, and how many more at each wish: as much as a browser lays out at once. */
const first = 6_000
const more = 120_000

/** A text as it is: text and nothing else, whatever it says. A long one comes in pieces. */
export function TextView({ text, words }: { readonly text: string; readonly words: string }) {
  const [shown, setShown] = useState(first)
  const isCut = text.length > shown * 1.2
  const visible = isCut ? text.slice(0, shown) : text
  return (
    <>
      <div class="text">
        {Array.from(bites(visible).entries(), ([place, bite]) => (
          <div key={place} class="bite">
            <MarkedWords text={bite} words={words} />
          </div>
        ))}
      </div>
      {isCut && (
        <button type="button" class="button small" onClick={() => setShown(shown + more)}>
          Show {text.length - shown > more ? 'more' : 'all'} ({(text.length - shown).toLocaleString('en')} characters
          left)
        </button>
      )}
    </>
  )
}
