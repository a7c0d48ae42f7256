import type { ItemState } from '../../protocol.ts'
import { stateIcons } from './state-icons.ts'

/** The icon and the word of a state. */
export function StateLabel({ state }: { readonly state: ItemState }) {
  const { word, tone, path, hollow } = stateIcons[state]
  return (
    <span class={`state-sign tone-${tone}`}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" focusable="false">
        <path d={path} class={hollow ? 'hollow' : 'filled'} />
      </svg>
      <span>{word}</span>
    </span>
  )
}
