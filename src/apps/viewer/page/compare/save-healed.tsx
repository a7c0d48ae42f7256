import { useState } from 'preact/hooks'
import type { Desk } from '../../desk.ts'

interface Props {
  readonly desk: Desk
  readonly name: string
}

/** Saves the repaired history as a file. */
export function SaveHealed({ desk, name }: Props) {
  const [said, setSaid] = useState('')
  const save = async (): Promise<void> => {
    const text = await desk.healed()
    if (text === undefined) return setSaid('There is no file to save here: use the doctor on the store.')
    const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `${fileName(name)}.healed.json`
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
    setSaid(`Saved as ${link.download}.`)
  }
  return (
    <>
      <button type="button" class="button" onClick={save}>
        Save healed JSON
      </button>
      <span class="sr-only" role="status">
        {said}
      </span>
    </>
  )
}

const fileName = (name: string): string =>
  name
    .replace(/^.*[\\/]/, '')
    .replace(/\.jsonl?$/, '')
    .replace(/[^\w.-]+/g, '-')
    .slice(0, 80) || 'history'
