import { useState } from 'preact/hooks'
import { MarkedWords } from '../search/marked-words.tsx'
import { splitText } from './split-text.ts'

/** How many characters are shown at first, and how many more with each click. */
const first = 6_000
const more = 120_000

/** A text, never interpreted as markup. A long one is shown in parts. */
export function TextView({ text, words }: { readonly text: string; readonly words: string }) {
  const [shown, setShown] = useState(first)
  const isCut = text.length > shown * 1.2
  const visible = isCut ? text.slice(0, shown) : text
  return (
    <>
      <div class="text">
        {Array.from(splitText(visible).entries(), ([place, chunk]) => (
          <div key={place} class="text-chunk">
            <MarkedWords text={chunk} words={words} />
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
