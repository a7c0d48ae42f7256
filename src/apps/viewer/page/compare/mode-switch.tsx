import type { Mode } from '../shell/address.ts'

const words: Readonly<Record<Mode, string>> = {
  before: 'Before',
  after: 'After',
  side: 'Side by side',
  steps: 'Step by step',
}

interface Props {
  readonly mode: Mode
  readonly onMode: (mode: Mode) => void
}

/** How the repair is looked at. */
export function ModeSwitch({ mode, onMode }: Props) {
  return (
    <fieldset class="modes">
      <legend class="sr-only">Before and after the repair</legend>
      {(Object.keys(words) as Mode[]).map(name => (
        <button key={name} type="button" aria-pressed={name === mode} onClick={() => onMode(name)}>
          {words[name]}
        </button>
      ))}
    </fieldset>
  )
}
