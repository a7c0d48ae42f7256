import { useContext } from 'preact/hooks'
import { Opening } from './opening.ts'

/** Opens files of this machine. They stay in the browser. */
export function ChooseButton({ label = 'Open a file …' }: { readonly label?: string }) {
  const { choose } = useContext(Opening)
  return (
    <button type="button" class="button" onClick={choose}>
      {label}
    </button>
  )
}
