import type { ViewMode } from '../shell/address.ts'

const words: Readonly<Record<ViewMode, string>> = {
  before: 'Before',
  after: 'After',
  side: 'Side by side',
  steps: 'Step by step',
}

interface Props {
  readonly mode: ViewMode
  readonly onMode: (mode: ViewMode) => void
}

/** Chooses how the repair is shown. */
export function ModeSwitch({ mode, onMode }: Props) {
  return (
    <fieldset class="modes">
      <legend class="sr-only">Before and after the repair</legend>
      {(Object.keys(words) as ViewMode[]).map(name => (
        <button key={name} type="button" aria-pressed={name === mode} onClick={() => onMode(name)}>
          {words[name]}
        </button>
      ))}
    </fieldset>
  )
}
