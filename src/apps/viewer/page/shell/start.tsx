import type { MessageWindow } from '../../document-service.ts'
import { ChooseButton } from '../drop/choose-button.tsx'
import { PasteButton } from '../drop/paste-button.tsx'
import { Miniature } from './miniature.tsx'
import { examples } from './own-documents.ts'
import { useMiniatures } from './use-miniatures.ts'

interface Props {
  readonly onExample: (item: string) => void
}

/** The page before anything is open: buttons to open a file, and examples of broken conversations. */
export function Start({ onExample }: Props) {
  const miniatures = useMiniatures()
  return (
    <div class="start">
      <h1>Every call gets its response.</h1>
      <p class="lead">
        Drop a conversation here to see what is wrong with it: every tool call is connected to its result, every error
        is marked, and every repair can be watched step by step.
      </p>
      <p class="start-buttons">
        <ChooseButton />
        <PasteButton />
      </p>
      <p class="start-hint">
        Histories and request bodies as JSON, in any format that it knows, and tapes. Files stay in this browser:
        nothing is sent anywhere.
      </p>
      <h2>Or see examples of broken conversations</h2>
      <ul class="examples">
        {examples.map(({ item, story }) => (
          <li key={item.id}>
            <button type="button" onClick={() => onExample(item.id)}>
              <span class="example-drawing">
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

const Drawn = ({ window }: { readonly window: MessageWindow | undefined }) => window && <Miniature window={window} />
