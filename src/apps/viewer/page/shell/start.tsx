import type { SheetWindow } from '../../desk.ts'
import { ChooseButton } from '../drop/choose-button.tsx'
import { PasteButton } from '../drop/paste-button.tsx'
import { Miniature } from './miniature.tsx'
import { examples } from './own-documents.ts'
import { useMiniatures } from './use-miniatures.ts'

interface Props {
  readonly onExample: (item: string) => void
}

/** The page before anything is open: how to open something, and five ways in which a conversation breaks. */
export function Start({ onExample }: Props) {
  const miniatures = useMiniatures()
  return (
    <div class="start">
      <h1>Every call gets its response.</h1>
      <p class="lead">
        Drop a conversation here, and see what is wrong with it: every tool call is joined to its result, every fault is
        drawn, and every repair can be watched.
      </p>
      <p class="start-buttons">
        <ChooseButton />
        <PasteButton />
      </p>
      <p class="start-hint">
        Histories and request bodies as JSON, in any of nine shapes; tapes too. It stays in this browser: nothing is
        sent anywhere.
      </p>
      <h2>Or look at how conversations break</h2>
      <ul class="examples">
        {examples.map(({ item, story }) => (
          <li key={item.id}>
            <button type="button" onClick={() => onExample(item.id)}>
              <span class="example-score">
                <Drawn window={miniatures.get(item.id)} />
              </span>
              <strong>{item.title}</strong>
              <span class="story">{story}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

const Drawn = ({ window }: { readonly window: SheetWindow | undefined }) => window && <Miniature window={window} />
