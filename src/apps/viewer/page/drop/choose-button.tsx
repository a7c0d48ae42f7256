import { useContext } from 'preact/hooks'
import { FileOpener } from './file-opener.ts'

/** Opens files from this machine. They stay in the browser. */
export function ChooseButton({ label = 'Open a file …' }: { readonly label?: string }) {
  const { choose } = useContext(FileOpener)
  return (
    <button type="button" class="button" onClick={choose}>
      {label}
    </button>
  )
}
