import { useState } from 'preact/hooks'
import { MarkedWords } from '../search/marked-words.tsx'
import { TextView } from './text-view.tsx'

const shortMax = 400

/** A string of a JSON value. A long one is cut, with a button to show the rest. */
export function JsonString({ text, words }: { readonly text: string; readonly words: string }) {
  const [isWhole, setWhole] = useState(false)
  if (text.length <= shortMax)
    return (
      <span class="json-string">
        “
        <bdi>
          <MarkedWords text={text} words={words} />
        </bdi>
        ”
      </span>
    )
  if (isWhole) return <TextView text={text} words={words} />
  return (
    <span class="json-string">
      “
      <bdi>
        <MarkedWords text={text.slice(0, shortMax)} words={words} />
      </bdi>
      …{' '}
      <button type="button" class="button small" onClick={() => setWhole(true)}>
        Show all ({text.length.toLocaleString('en')} characters)
      </button>
    </span>
  )
}
